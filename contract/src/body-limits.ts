/*
 * The limits of requests: their bodies, headers and connections. Part of `limits`.
 */

const kib = 1024
const mib = 1024 * kib

export const bodyLimits = {
  anonymousBodyBytes: {
    value: 16 * kib,
    unit: 'bytes',
    of: 'the JSON body of an endpoint that needs no sign-in',
  },
  anonymousBodies: {
    value: 16 * mib,
    unit: 'bytes',
    of: 'bodies of requests without sign-in that are received or handled at once',
  },
  anonymousBodiesOfNetwork: {
    value: 2 * mib,
    unit: 'bytes',
    of: 'the same, from one IPv4 address or IPv6 /64',
  },
  sessionBodies: {
    value: 64 * mib,
    unit: 'bytes',
    of: 'bodies of signed-in requests that are received or handled at once',
  },
  sessionBodiesOfOrganization: {
    value: 32 * mib,
    unit: 'bytes',
    of: 'the same, of one organization',
  },
  sessionBodiesOfUser: { value: 16 * mib, unit: 'bytes', of: 'the same, of one user' },
  ingestBodies: {
    value: 256 * mib,
    unit: 'bytes',
    of: 'ingestion requests that are received or handled at once',
  },
  ingestBodiesOfOrganization: {
    value: 128 * mib,
    unit: 'bytes',
    of: 'the same, of one organization',
  },
  ingestBodiesOfProject: { value: 64 * mib, unit: 'bytes', of: 'the same, of one project' },
  refusedBodyBytes: {
    value: 64 * mib,
    unit: 'bytes',
    of: 'a refused request body that is read to its end before the response is sent',
  },
  refusedBodySeconds: { value: 30, unit: 'seconds', of: 'reading a refused request body' },
  refusedBodyStallSeconds: {
    value: 2,
    unit: 'seconds',
    of: 'waiting for the next bytes of a refused request body',
  },
  headerBytes: { value: 16 * kib, unit: 'bytes', of: 'all request headers together' },
  pipelinedRequests: {
    value: 20,
    unit: 'requests',
    of: 'pipelined requests that wait for the earlier ones of their connection; one more closes it',
  },
} as const
