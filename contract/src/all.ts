import type { AnyEndpoint } from './endpoint.ts'
import { ingestTrace } from './ingest.ts'
import { createProject, listOrganizations, listProjects } from './organizations.ts'
import { exportTraces } from './otlp.ts'
import { readSession, readSetup, setUp, signIn, signOut } from './sign-in.ts'
import { listTraces, readSpan, readTrace, watchTraces } from './traces.ts'
import { createTracingKey, listTracingKeys, revokeTracingKey } from './tracing-keys.ts'

/** Every endpoint there is. A route that is not listed here does not exist. */
export const allEndpoints: readonly AnyEndpoint[] = [
  ingestTrace,
  exportTraces,
  readSetup,
  setUp,
  signIn,
  signOut,
  readSession,
  listOrganizations,
  listProjects,
  createProject,
  listTracingKeys,
  createTracingKey,
  revokeTracingKey,
  listTraces,
  watchTraces,
  readTrace,
  readSpan,
]
