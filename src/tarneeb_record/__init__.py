"""Records as text: a short header, then one line a hand. Of use to callers too: nothing of the service is imported."""

from tarneeb_record.format import NoRecordTextError, format_record
from tarneeb_record.parse import RecordTextError, parse_record

__all__ = ["NoRecordTextError", "RecordTextError", "format_record", "parse_record"]
