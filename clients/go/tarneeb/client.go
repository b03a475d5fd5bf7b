// Package tarneeb is a client of the Tarneeb rules service: deadlines, retries, balancing over replicas, TLS, a token,
// and the details of what failed.
package tarneeb

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"

	pb "tarneeb/v1"
)

// Client is a channel to the service, kept until Close: one for the whole program, shared by its goroutines.
//
// Its methods are those of tarneeb.v1.TarneebService. A call that fails returns an *Error.
type Client struct {
	pb.TarneebServiceClient
	conn *grpc.ClientConn
}

// New opens a channel to `host:port`, or to DefaultTarget if that is empty; nothing is sent yet.
func New(target string, options Options) (*Client, error) {
	conn, err := grpc.NewClient(fullTarget(target), options.dial()...)
	if err != nil {
		return nil, err
	}
	return &Client{pb.NewTarneebServiceClient(conn), conn}, nil
}

// Close closes the channel; calls under way fail.
func (c *Client) Close() error { return c.conn.Close() }

// CallWithBytes calls a method by its name with messages as bytes, for who passes them on.
func (c *Client) CallWithBytes(ctx context.Context, method string, request []byte) ([]byte, error) {
	var response []byte
	path := "/" + pb.TarneebService_ServiceDesc.ServiceName + "/" + method
	err := c.conn.Invoke(ctx, path, request, &response, grpc.ForceCodecV2(bytesCodec{}))
	return response, err
}

// bytesCodec takes and gives messages as they are on the wire.
type bytesCodec struct{}

func (bytesCodec) Marshal(message any) (mem.BufferSlice, error) {
	data, ok := message.([]byte)
	if !ok {
		return nil, fmt.Errorf("%T is not bytes", message)
	}
	return mem.BufferSlice{mem.SliceBuffer(data)}, nil
}

func (bytesCodec) Unmarshal(data mem.BufferSlice, message any) error {
	into, ok := message.(*[]byte)
	if !ok {
		return fmt.Errorf("%T is no place for bytes", message)
	}
	*into = data.Materialize()
	return nil
}

func (bytesCodec) Name() string { return "proto" }
