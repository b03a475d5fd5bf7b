"""Records as text: a short header, then one line a hand."""

from tarneeb_service.record_text.format import format_record
from tarneeb_service.record_text.parse import RecordTextError, parse_record

__all__ = ["RecordTextError", "format_record", "parse_record"]
