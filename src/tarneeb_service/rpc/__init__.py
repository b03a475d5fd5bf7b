"""The service's methods: bytes in, bytes or a status out, whatever front they hang on."""
