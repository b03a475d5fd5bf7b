// ValidateMove by k6, with descriptors by reflection or, with PROTOS=true, from proto/:
//   python -m loadtest.requests --host localhost:50051
//   k6 run -e HOST=localhost:50051 loadtest/k6.js
// USERS, SECONDS, TLS=true and TOKEN may be given like HOST. docs/load-testing.md says how to read the result.
import { check } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import grpc from 'k6/net/grpc';

const METHOD = 'tarneeb.v1.TarneebService/ValidateMove';
const protos = __ENV.PROTOS === 'true';
// One copy for all users.
const requests = new SharedArray('requests', () =>
  JSON.parse(open(__ENV.REQUESTS || '../build/loadtest/requests.json')),
);
const client = new grpc.Client();
if (protos) {
  client.load(['../proto'], 'tarneeb/v1/tarneeb_service.proto');
}

export const options = {
  scenarios: {
    moves: {
      executor: 'constant-vus',
      vus: Number(__ENV.USERS || 16),
      duration: `${Number(__ENV.SECONDS || 20)}s`,
    },
  },
  // k6 exits 99 when one is missed.
  thresholds: {
    checks: ['rate==1'],
    grpc_req_duration: ['p(95)<100', 'p(99)<250'],
  },
};

export default function () {
  if (exec.vu.iterationInScenario === 0) {
    client.connect(__ENV.HOST || 'localhost:50051', {
      plaintext: __ENV.TLS !== 'true',
      reflect: !protos,
    });
  }
  const request = requests[exec.scenario.iterationInTest % requests.length];
  const metadata = __ENV.TOKEN ? { authorization: `Bearer ${__ENV.TOKEN}` } : {};
  const response = client.invoke(METHOD, request, { metadata, timeout: '2s' });
  check(response, {
    answered: (r) => r.status === grpc.StatusOK,
    legal: (r) => r.message && r.message.verdict && r.message.verdict.ruling === 'RULING_LEGAL',
  });
}
