package tarneeb

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "tarneeb/v1"
)

// Error is a call that failed, with what the service says of it. One that failed in gRPC itself has code and message
// alone. Get at it with errors.As.
type Error struct {
	Code    codes.Code
	Message string
	// Reason is unspecified where the service gives none, or one that these stubs do not know.
	Reason   pb.ErrorReason
	Metadata map[string]string
	// Violations say what is wrong with the request: the first 32.
	Violations []Violation
	// Problems is how many there are in all.
	Problems int
	// RetryAfter is how long to wait at least; zero where nothing is said of it.
	RetryAfter time.Duration

	status *status.Status
	cause  error
}

// Violation is one thing that is wrong with a request.
type Violation struct{ Path, Reason, Message string }

// Error is for a log.
func (e *Error) Error() string { return "tarneeb: " + e.Code.String() + ": " + e.Message }

// Unwrap is what gRPC returned; it may say how many attempts there were.
func (e *Error) Unwrap() error { return e.cause }

// GRPCStatus is for status.Code and its like.
func (e *Error) GRPCStatus() *status.Status { return e.status }

// ReasonName is the reason without its prefix, as INVALID_REQUEST; UNSPECIFIED when there is none.
func (e *Error) ReasonName() string { return strings.TrimPrefix(e.Reason.String(), reasonPrefix) }

const reasonPrefix = "ERROR_REASON_"

// errorOf is what a failed call says.
func errorOf(err error) error {
	if err == nil {
		return nil
	}
	said := statusOf(err)
	e := &Error{Code: said.Code(), Message: said.Message(), status: said, cause: err}
	for _, detail := range said.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			// Something between us and the service may have reasons of its own.
			if detail.Domain == pb.TarneebService_ServiceDesc.ServiceName {
				e.Reason = pb.ErrorReason(pb.ErrorReason_value[reasonPrefix+detail.Reason])
				e.Metadata = detail.Metadata
				e.Problems, _ = strconv.Atoi(detail.Metadata["problems"])
			}
		case *errdetails.BadRequest:
			for _, each := range detail.FieldViolations {
				e.Violations = append(e.Violations, Violation{each.Field, each.Reason, each.Description})
			}
		case *errdetails.RetryInfo:
			e.RetryAfter = detail.RetryDelay.AsDuration()
		}
	}
	return e
}

// statusOf is the status as it came. After the last attempt gRPC wraps it, and status.Convert would take the message
// of the wrapping.
func statusOf(err error) *status.Status {
	var inner interface{ GRPCStatus() *status.Status }
	if errors.As(err, &inner) {
		return inner.GRPCStatus()
	}
	return status.Convert(err)
}
