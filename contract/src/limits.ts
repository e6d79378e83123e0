import { alertLimits } from './alert-limits.ts'
import { bodyLimits } from './body-limits.ts'
import { chatLimits } from './chat-limits.ts'
import { costCalculatorLimits } from './cost-calculator-limits.ts'
import { encryptionLimits } from './encryption-limits.ts'
import { evaluationLimits } from './evaluation-limits.ts'
import { priceLimits } from './price-limits.ts'
import { recommendationLimits } from './recommendation-limits.ts'
import { signInLimits } from './sign-in-limits.ts'
import { simulationLimits } from './simulation-limits.ts'
import { syntheticLimits } from './synthetic-limits.ts'

/*
 * Every limit of the interface. Schemas use these numbers and the reference page lists them. Source:
 * interface specification, "Limits", and the decisions that complete it.
 */

const kib = 1024
const mib = 1024 * kib

export const limits = {
  spansPerIngest: {
    value: 500,
    unit: 'spans',
    of: 'spans in one POST /traces/ingest (at least 1)',
  },
  traceIdLength: { value: 128, unit: 'characters', of: 'trace_id (at least 1)' },
  rootNameLength: { value: 512, unit: 'characters', of: 'root_name' },
  environmentLength: { value: 64, unit: 'characters', of: 'environment' },
  tagLength: { value: 128, unit: 'characters', of: 'each tag (at least 1)' },
  traceSearchLength: { value: 512, unit: 'characters', of: 'q (search terms)' },
  searchedLength: {
    value: 100_000,
    unit: 'characters',
    of: 'searched part of an input or output',
  },
  commentLength: {
    value: 10_000,
    unit: 'characters',
    of: 'a comment (at least 1), and the reasoning of a score',
  },
  personScores: {
    value: 1000,
    unit: 'scores',
    of: 'scores of one person on a trace and its spans',
  },
  commentsPerTrace: { value: 1000, unit: 'comments', of: 'comments on a trace' },
  commentsPerUser: {
    value: 10_000,
    unit: 'comments in a project',
    of: 'comments of a user',
  },
  movedTraces: { value: 100, unit: 'traces', of: 'one POST …/traces/adopt (at least 1)' },
  changedTraces: {
    value: 1000,
    unit: 'traces',
    of: 'one POST …/traces/tags or …/traces/export (at least 1)',
  },
  changedTags: { value: 20, unit: 'tags', of: 'one POST …/traces/tags, added or removed, each' },
  viewsPerPerson: { value: 100, unit: 'saved views in a project', of: 'saved views of a user' },
  sharedViews: {
    value: 100,
    unit: 'shared views and charts',
    of: 'shared views and charts of a project',
  },
  viewQueryLength: { value: 4096, unit: 'characters', of: 'query of a saved view' },
  traceFilterLength: {
    value: 1024,
    unit: 'characters',
    of: 'each other filter of GET …/traces',
  },
  tagFilters: { value: 20, unit: 'tags', of: 'tags to filter GET …/traces by' },
  filterValues: { value: 20, unit: 'values', of: 'each repeatable filter of GET …/traces' },
  histogramBuckets: { value: 200, unit: 'buckets', of: 'buckets of GET …/histogram' },
  histogramTraces: {
    value: 200_000,
    unit: 'traces',
    of: 'the newest traces that GET …/histogram scans, with filters that require a scan',
  },
  statsTraces: {
    value: 20_000,
    unit: 'traces',
    of: 'the newest traces that GET …/stats counts with minute buckets',
  },
  statsBuckets: { value: 10_000, unit: 'buckets', of: 'buckets of GET …/stats' },
  statsGroups: {
    value: 50,
    unit: 'groups',
    of: 'names, environments, models and tags of GET …/stats, the most frequent, each',
  },
  tagsPerTrace: { value: 1000, unit: 'tags', of: 'tags of one trace' },
  spanTagsLength: {
    value: 4096,
    unit: 'characters',
    of: 'tags read from one OTLP span, as JSON; its attributes keep all of them',
  },
  modelsPerTrace: {
    value: 100,
    unit: 'models',
    of: 'models of one trace that are listed and counted one by one, the first in byte order',
  },
  spansPerTrace: { value: 100_000, unit: 'spans', of: 'spans of one trace' },
  spanIdLength: { value: 128, unit: 'characters', of: 'span_id and parent_span_id (at least 1)' },
  spanNameLength: { value: 512, unit: 'characters', of: 'name of a span (at least 1)' },
  kindLength: { value: 64, unit: 'characters', of: 'kind of a span (at least 1)' },
  modelLength: { value: 256, unit: 'characters', of: 'model of a span; label in POST …/explain' },
  providerLength: { value: 64, unit: 'characters', of: 'provider of a span' },
  serviceTierLength: { value: 32, unit: 'characters', of: 'service_tier of a span' },
  statusMessageLength: { value: 4096, unit: 'characters', of: 'status_message of a span' },
  sessionIdLength: { value: 256, unit: 'characters', of: 'session_id and user_id' },
  idempotencyKeyLength: { value: 255, unit: 'visible ASCII characters', of: 'Idempotency-Key' },
  idempotencyDays: {
    value: 30,
    unit: 'days',
    of: 'minimum lifetime of an Idempotency-Key',
  },
  ingestBodyBytes: { value: 32 * mib, unit: 'bytes', of: 'the JSON body of POST /traces/ingest' },
  otlpBodyBytes: { value: 32 * mib, unit: 'bytes', of: 'an OTLP payload, decompressed' },
  otlpSpans: { value: 100_000, unit: 'spans', of: 'one OTLP request' },
  otlpRecords: {
    value: 100_000,
    unit: 'data points or log records',
    of: 'one OTLP request',
  },
  otlpItems: {
    value: 1_500_000,
    unit: 'spans, records, points, events, links, attributes and list elements',
    of: 'one OTLP request in protobuf, in total',
  },
  metricNameLength: {
    value: 256,
    unit: 'characters',
    of: 'name and unit of a metric as stored (longer text is truncated)',
  },
  metricDescriptionLength: {
    value: 1024,
    unit: 'characters',
    of: 'description of a metric as stored (longer text is truncated)',
  },
  eventNameLength: {
    value: 256,
    unit: 'characters',
    of: 'event name and severity text of a log record as stored (longer text is truncated)',
  },
  metricsPageMax: { value: 200, unit: 'metrics', of: 'a page of GET …/metrics' },
  metricSeriesCounted: {
    value: 1000,
    unit: 'series',
    of: 'counted for `series_count` of GET …/metrics, the newest, and for `meta.total` of GET …/metrics/{name}',
  },
  metricSeries: { value: 100, unit: 'series', of: 'one response of GET …/metrics/{name}' },
  metricSteps: { value: 1000, unit: 'steps', of: 'between from and to of GET …/metrics/{name}' },
  metricPoints: {
    value: 200_000,
    unit: 'data points',
    of: 'read for one response of GET …/metrics/{name}',
  },
  pointBuckets: {
    value: 5000,
    unit: 'buckets or quantiles',
    of: 'a data point; one with more is rejected',
  },
  bucketsPerStep: {
    value: 20_000,
    unit: 'different buckets',
    of: 'the data points in a step of GET …/metrics/{name}; with more, its quantiles are null',
  },
  metricExemplars: {
    value: 100,
    unit: 'exemplars',
    of: 'a series in GET …/metrics/{name}, the newest',
  },
  attributeFilters: { value: 10, unit: 'filters', of: 'attribute in one request' },
  attributeTraces: { value: 5000, unit: 'traces', of: 'compared for a page with attribute' },
  attributeBytes: {
    value: 64 * mib,
    unit: 'bytes',
    of: 'span contents, decompressed, that are compared for such a page; of a larger trace, the rest is not compared',
  },
  logsPageDefault: {
    value: 50,
    unit: 'log records',
    of: 'a page of GET …/logs without limit',
  },
  logsPageMax: { value: 200, unit: 'log records', of: 'limit of GET …/logs' },
  tracesScanned: {
    value: 100_000,
    unit: 'traces',
    of: 'examined for one page of GET …/traces with filters; the cursor continues from there',
  },
  tracesSorted: { value: 50_000, unit: 'traces', of: 'sorted for a page of GET …/traces' },
  logsScanned: {
    value: 50_000,
    unit: 'log records',
    of: 'scanned for one page of GET …/logs; the cursor continues from there',
  },
  searchLength: { value: 256, unit: 'characters', of: 'q of GET …/logs' },
  jsonBodyBytes: { value: mib, unit: 'bytes', of: 'the JSON body of every other endpoint' },
  jsonDepth: { value: 128, unit: 'levels', of: 'nesting of any JSON body' },
  jsonContainers: {
    value: 1_500_000,
    unit: 'objects and arrays',
    of: 'the JSON body of an ingestion request',
  },
  appJsonContainers: {
    value: 10_000,
    unit: 'objects and arrays',
    of: 'the JSON body of every other endpoint',
  },
  appJsonValues: {
    value: 100_000,
    unit: 'values',
    of: 'the same, with the members of objects and arrays',
  },
  tracesPageDefault: {
    value: 50,
    unit: 'traces',
    of: 'a page of GET …/traces without limit',
  },
  tracesPageMax: { value: 100, unit: 'traces', of: 'limit of GET …/traces' },
  pageBytes: {
    value: 4 * mib,
    unit: 'bytes',
    of: 'a page of traces, spans or log records, and the series of a metric; a page has at least one item, however large, and ends early before exceeding this',
  },
  spansPage: { value: 2000, unit: 'spans', of: 'a page of GET …/traces/{traceId}' },
  unfinishedReads: {
    value: 4000,
    unit: 'queries',
    of: 'queries of telemetry that wait or run at once',
  },
  unfinishedReadsOfOrganization: {
    value: 1000,
    unit: 'queries',
    of: 'the same, of one organization',
  },
  unfinishedReadsOfUser: { value: 200, unit: 'queries', of: 'the same, of one user' },
  unsentBytes: {
    value: 256 * mib,
    unit: 'bytes',
    of: 'responses, and parts of exports, of more than 64 KiB that are sent or wait for their clients at once',
  },
  unsentBytesOfOrganization: {
    value: 128 * mib,
    unit: 'bytes',
    of: 'the same, of one organization',
  },
  unsentBytesOfUser: { value: 64 * mib, unit: 'bytes', of: 'the same, of one user' },
  responseStallSeconds: { value: 60, unit: 'seconds', of: 'waiting for a client to read on' },
  openStreams: {
    value: 500,
    unit: 'streams',
    of: 'live streams and exports that are open at once',
  },
  openStreamsOfOrganization: { value: 200, unit: 'streams', of: 'the same, of one organization' },
  openStreamsOfUser: { value: 20, unit: 'streams', of: 'the same, of one user' },
  openExports: { value: 40, unit: 'exports', of: 'exports that are open at once' },
  openExportsOfOrganization: { value: 10, unit: 'exports', of: 'the same, of one organization' },
  openExportsOfUser: { value: 3, unit: 'exports', of: 'the same, of one user' },
  modelConfigs: {
    value: 100,
    unit: 'model configurations',
    of: 'model configurations of an organization',
  },
  modelBaseUrlLength: { value: 1024, unit: 'characters', of: 'base_url of a model configuration' },
  modelApiKeyLength: {
    value: 2048,
    unit: 'visible ASCII characters',
    of: 'api_key of a model configuration',
  },
  modelTestSeconds: { value: 30, unit: 'seconds', of: 'a test of a model configuration' },
  modelCallSeconds: {
    value: 45,
    unit: 'seconds',
    of: 'a call of a model, with its retry, without the wait for its turn',
  },
  modelResponseBytes: { value: mib, unit: 'bytes', of: 'the response of a model' },
  modelResponseValues: {
    value: 20_000,
    unit: 'JSON values',
    of: 'the same, and the object that it contains as text',
  },
  modelStreamBytes: {
    value: 128 * mib,
    unit: 'bytes',
    of: 'the response of a model that is read while it is written; modelResponseBytes of one event',
  },
  modelStreamEvents: { value: 600_000, unit: 'events', of: 'the same' },
  modelCalls: { value: 48, unit: 'calls', of: 'calls of models that run at once' },
  modelCallsOfOrganization: { value: 6, unit: 'calls', of: 'the same, of one organization' },
  modelCallsWaiting: { value: 2000, unit: 'calls', of: 'calls of models that wait for their turn' },
  newModelsPerRequest: {
    value: 1000,
    unit: 'models',
    of: 'model names without a cached price in one ingestion request; spans with further ones have the unpriced_reason too_many_models',
  },
  longContextPrices: {
    value: 10,
    unit: 'prices',
    of: 'prices of a model for long contexts, in the price list',
  },
  groupTraces: {
    value: 1_000_000,
    unit: 'traces',
    of: 'the newest traces that one page of GET …/sessions or …/users examines at least',
  },
  passwordMin: { value: 10, unit: 'characters', of: 'minimum length of a password' },
  passwordMax: { value: 128, unit: 'characters', of: 'maximum length of a password' },
  nameLength: {
    value: 128,
    unit: 'characters',
    of: 'names of users, organizations, projects, models, evaluators, collections and scores (at least 1)',
  },
  slugLength: {
    value: 64,
    unit: 'characters',
    of: 'slugs (lower-case letters, digits and single hyphens)',
  },
  listPageDefault: {
    value: 50,
    unit: 'items',
    of: 'a page of the audit log, users, members, jobs and comments without limit',
  },
  listPageMax: {
    value: 100,
    unit: 'items',
    of: 'limit of the audit log, users, members, jobs and comments',
  },
  sessionsPerUser: {
    value: 100,
    unit: 'sessions',
    of: 'sessions of a user; another sign-in ends the least recently used one',
  },
  organizations: { value: 1000, unit: 'organizations', of: 'organizations of the service' },
  projectsPerOrganization: {
    value: 1000,
    unit: 'projects',
    of: 'projects of an organization',
  },
  pendingInvites: {
    value: 1000,
    unit: 'pending invites',
    of: 'pending invites of an organization',
  },
  platformAccess: {
    value: 1000,
    unit: 'approved addresses and domains',
    of: 'approved addresses and domains of the service',
  },
  superAdmins: { value: 100, unit: 'super admins', of: 'super admins of the service' },
  tracingKeysPerProject: {
    value: 1000,
    unit: 'tracing keys',
    of: 'tracing keys of a project; a new key then replaces the one that was revoked first',
  },
  retentionDaysMax: { value: 3650, unit: 'days', of: 'retention_days of a project (at least 1)' },
  inviteDays: { value: 7, unit: 'days', of: 'lifetime of an invite' },
  passwordLinkMinutes: {
    value: 60,
    unit: 'minutes',
    of: 'lifetime of a password link',
  },
  sessionTransferSeconds: {
    value: 60,
    unit: 'seconds',
    of: 'lifetime of a code for a session transfer',
  },
  sessionTransfers: {
    value: 10,
    unit: 'codes',
    of: 'valid codes for transfers of a session; another one ends the oldest',
  },
  sessionTokens: {
    value: 20,
    unit: 'transfers',
    of: 'transfers of a session, with its start; another one ends the oldest',
  },
  emailLength: { value: 254, unit: 'characters', of: 'an e-mail address' },
  domainLength: { value: 253, unit: 'characters', of: 'a domain name' },
  auditEntries: {
    value: 100,
    unit: 'entries per UTC day',
    of: 'repeated sign-ins, session transfers, exports, tests of single sign-on, moves and removals of traces, changes to prices, changes to and tests of models, and changes to the own account, by one user in the audit log of an organization or of the service, for each action',
  },
  anonymousAuditEntries: {
    value: 1000,
    unit: 'entries per UTC day',
    of: 'refused sign-ins and requested password links in an audit log, for each of the two; further events, of these and of users, are counted in as many entries, by account or project and client network, and beyond that in one',
  },
  ...signInLimits,
  ...alertLimits,
  ...evaluationLimits,
  ...priceLimits,
  ...bodyLimits,
  ...costCalculatorLimits,
  ...simulationLimits,
  ...recommendationLimits,
  ...syntheticLimits,
  ...chatLimits,
  ...encryptionLimits,
} as const satisfies Readonly<Record<string, Limit>>

export interface Limit {
  readonly value: number
  readonly unit: string
  readonly of: string
}
