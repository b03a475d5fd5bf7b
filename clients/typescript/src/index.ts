// A client of the Tarneeb rules service.

export { type CallOptions, type Calls, createClient, type TarneebClient } from "./client.js";
export { TarneebError, type Violation } from "./errors.js";
export { type Options, SERVICE_CONFIG, type Tls } from "./options.js";
