// All messages and enums of tarneeb.v1. Nothing in here needs Node: a page may import it too.

export * from "../gen/tarneeb/v1/cards_pb.js";
export * from "../gen/tarneeb/v1/errors_pb.js";
export * from "../gen/tarneeb/v1/events_pb.js";
export * from "../gen/tarneeb/v1/game_pb.js";
export * from "../gen/tarneeb/v1/moves_pb.js";
export * from "../gen/tarneeb/v1/records_pb.js";
export * from "../gen/tarneeb/v1/rules_pb.js";
export * from "../gen/tarneeb/v1/tarneeb_service_pb.js";
export * from "../gen/tarneeb/v1/verdicts_pb.js";
export * from "../gen/tarneeb/v1/views_pb.js";
