"""The service's methods, and the gRPC servicer they hang on."""
