package tarneeb

import (
	"errors"
	"slices"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "tarneeb/v1"
)

const domain = "tarneeb.v1.TarneebService"

func failed(t *testing.T, code codes.Code, details ...protoadapt.MessageV1) *Error {
	t.Helper()
	said, err := status.New(code, "told").WithDetails(details...)
	if err != nil {
		t.Fatal(err)
	}
	var found *Error
	if !errors.As(errorOf(said.Err()), &found) {
		t.Fatal("no *Error")
	}
	return found
}

func TestDetailsAreRead(t *testing.T) {
	e := failed(t, codes.InvalidArgument,
		&errdetails.ErrorInfo{
			Domain: domain, Reason: "INVALID_REQUEST", Metadata: map[string]string{"problems": "40", "request_id": "r"},
		},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "deal", Reason: "MISSING", Description: "A deal is needed."}, {Field: "b", Reason: "MISMATCH"},
		}},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(1500 * time.Millisecond)},
	)
	if e.Code != codes.InvalidArgument || e.Message != "told" || status.Code(e) != codes.InvalidArgument {
		t.Errorf("code or message: %v", e)
	}
	if e.Reason != pb.ErrorReason_ERROR_REASON_INVALID_REQUEST || e.ReasonName() != "INVALID_REQUEST" {
		t.Errorf("reason %v", e.Reason)
	}
	if e.Problems != 40 || e.Metadata["request_id"] != "r" {
		t.Errorf("metadata %v, problems %d", e.Metadata, e.Problems)
	}
	wanted := []Violation{{"deal", "MISSING", "A deal is needed."}, {"b", "MISMATCH", ""}}
	if !slices.Equal(e.Violations, wanted) {
		t.Errorf("violations %v", e.Violations)
	}
	if e.RetryAfter != 1500*time.Millisecond {
		t.Errorf("retry after %v", e.RetryAfter)
	}
}

func TestWhatIsNotOfTheServiceSaysNothing(t *testing.T) {
	for name, e := range map[string]*Error{
		"another's reason":  failed(t, codes.Unavailable, &errdetails.ErrorInfo{Domain: "proxy", Reason: "OVERLOADED"}),
		"an unknown reason": failed(t, codes.Unavailable, &errdetails.ErrorInfo{Domain: domain, Reason: "LATER"}),
		"no details":        failed(t, codes.Unavailable),
	} {
		if e.ReasonName() != "UNSPECIFIED" || e.Problems != 0 || e.RetryAfter != 0 || e.Violations != nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
