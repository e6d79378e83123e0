import { exportAuditLog } from '@assay/contract/audit-log.ts'
import { listComments } from '@assay/contract/comments.ts'
import { listEvaluatorCollections, listEvaluators } from '@assay/contract/evaluators.ts'
import { exportTrajectories } from '@assay/contract/export.ts'
import { listLogs } from '@assay/contract/logs.ts'
import { listMetrics, readMetric } from '@assay/contract/metrics.ts'
import { listObservedModels } from '@assay/contract/prices.ts'
import { listScoreDisagreements, readScoreAgreement } from '@assay/contract/score-agreement.ts'
import {
  listScoredTraces,
  listScores,
  putScore,
  readScoreStats,
  removeScore,
} from '@assay/contract/scores.ts'
import {
  listTraceSessions,
  listTraceUsers,
  readHistogram,
  readStats,
} from '@assay/contract/stats.ts'
import { readStorage } from '@assay/contract/storage.ts'
import { listTraces, readSpan, readTrace, watchTraces } from '@assay/contract/traces.ts'
import { type Attack, stored } from './attack.ts'

/*
 * Attacks that read as much as a request may, in the attackers' own project.
 */

const hourMs = 3_600_000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString()

/** As long as the stats endpoint accepts, with filters, so that rollups are scanned. */
const longStats = [
  { bucket: 'day', from: hoursAgo(3600 * 24) },
  { bucket: 'hour', from: hoursAgo(9000), environment: 'staging' },
  { bucket: 'hour', from: hoursAgo(9000), model: 'house' },
  { bucket: 'minute' },
] as const
const longHistograms = [
  { name: 'no such name' },
  { q: 'search' },
  { min_tokens: 1, kind: 'tool' },
] as const

/** A built-in evaluator: quality.output-present. */
const answerPresent = '146304e6-6f1c-5bb9-a89f-3f1e29f6613f'

export const readAttacks: readonly Attack[] = [
  {
    name: 'scores',
    by: 'editor',
    endpoints: [
      ...[putScore, listScores, listScoredTraces, readScoreStats, removeScore],
      ...[readScoreAgreement, listScoreDisagreements],
    ],
    connections: 32,
    responds: [201, 200, 200, 200, 404, 200, 200],
    requests: () => (n, endpoint) => {
      const params = { traceId: stored.huge[n % 3] ?? '', scoreId: 'none' }
      if (endpoint === putScore) {
        const target = n % 14 < 7 ? { name: `score ${n}` } : { evaluator_id: answerPresent }
        return { params, body: { ...target, score: 1, reasoning: 'r'.repeat(10_000) } }
      }
      if (endpoint === listScoreDisagreements) return { query: { evaluator_id: answerPresent } }
      if (endpoint === listScoredTraces)
        return { query: { name: 'score 0', kind: 'tool', limit: 100 } }
      return { params, ...(endpoint === listScores ? { query: { limit: 100 } } : {}) }
    },
  },
  {
    name: 'list-scans',
    by: 'viewer',
    endpoints: [listTraces],
    connections: 32,
    responds: [200],
    requests: () => () => ({ query: { name: 'no such name', limit: 100 } }),
  },
  {
    name: 'sorted-lists',
    by: 'viewer',
    endpoints: [listTraces],
    connections: 32,
    responds: [200],
    requests: () => () => ({ query: { order: '-cost', limit: 100 } }),
  },
  {
    name: 'attribute-scans',
    by: 'viewer',
    endpoints: [listTraces],
    connections: 32,
    responds: [200],
    requests: () => () => ({ query: { attribute: 'no.such.key=value', limit: 100 } }),
  },
  {
    name: 'common-words',
    by: 'viewer',
    endpoints: [listTraces],
    connections: 32,
    responds: [200, 200],
    requests: () => (n) => ({
      query: { q: n % 2 === 0 ? 'search' : 'search execute_tool s*', min_tokens: 1e9 },
    }),
  },
  {
    name: 'stats',
    by: 'viewer',
    endpoints: [readStats],
    connections: 32,
    responds: [200, 200, 200, 200],
    requests: () => (n) => ({ query: longStats[n % longStats.length] ?? {} }),
  },
  {
    name: 'stats-abandoned',
    by: 'viewer',
    endpoints: [readStats],
    connections: 64,
    responds: [200],
    client: 'leaves',
    requests: () => (n) => ({ query: longStats[n % longStats.length] ?? {} }),
  },
  {
    name: 'histograms',
    by: 'viewer',
    endpoints: [readHistogram],
    connections: 32,
    responds: [200, 200, 200],
    requests: () => (n) => ({ query: longHistograms[n % longHistograms.length] ?? {} }),
  },
  {
    name: 'histograms-abandoned',
    by: 'viewer',
    endpoints: [readHistogram],
    connections: 64,
    responds: [200],
    client: 'leaves',
    requests: () => (n) => ({ query: longHistograms[n % longHistograms.length] ?? {} }),
  },
  {
    name: 'groups',
    by: 'viewer',
    endpoints: [listTraceSessions, listTraceUsers],
    connections: 32,
    responds: [200, 200],
    requests: () => () => ({ query: { limit: 100 } }),
  },
  {
    name: 'span-pages',
    by: 'viewer',
    endpoints: [readTrace],
    connections: 16,
    responds: [200, 200],
    requests: () => (n) => ({
      params: { traceId: n % 2 === 0 ? stored.wide : (stored.huge[n % 3] ?? '') },
    }),
  },
  {
    name: 'span-pages-stalled',
    by: 'viewer',
    endpoints: [readTrace, readSpan],
    connections: 32,
    responds: [200, 200],
    client: 'stalls',
    requests: () => (_n, endpoint) => ({
      params: endpoint === readTrace ? { traceId: stored.wide } : stored.largeSpan,
    }),
  },
  {
    name: 'large-spans',
    by: 'viewer',
    endpoints: [readSpan],
    connections: 16,
    responds: [200],
    requests: () => () => ({ params: stored.largeSpan }),
  },
  {
    name: 'live-streams',
    by: 'viewer',
    endpoints: [watchTraces],
    connections: 300,
    responds: [200],
    client: 'stalls',
    requests: () => () => ({}),
  },
  {
    // With several processes, each of them is notified of who watches.
    name: 'live-streams-abandoned',
    by: 'viewer',
    endpoints: [watchTraces],
    connections: 64,
    responds: [200],
    client: 'leaves',
    requests: () => () => ({}),
  },
  {
    name: 'metric-queries',
    by: 'viewer',
    endpoints: [readMetric, listMetrics],
    connections: 32,
    responds: [200, 200],
    requests: () => (_n, endpoint) =>
      endpoint === readMetric
        ? { params: { name: stored.metric }, query: { from: hoursAgo(2), step: 8 } }
        : {},
  },
  {
    name: 'log-queries',
    by: 'viewer',
    endpoints: [listLogs],
    connections: 32,
    responds: [200],
    requests: () => () => ({ query: { q: 'no such text', limit: 200 } }),
  },
  {
    name: 'storage-and-models',
    by: 'viewer',
    endpoints: [readStorage, listObservedModels],
    connections: 32,
    responds: [200, 200],
    requests: () => (_n, endpoint) =>
      endpoint === listObservedModels ? { query: { from: '1970-01-01T00:00:00Z' } } : {},
  },
  {
    name: 'comment-lists',
    by: 'viewer',
    endpoints: [listComments],
    connections: 32,
    responds: [200],
    requests: () => () => ({ params: { traceId: stored.wide }, query: { limit: 100 } }),
  },
  {
    name: 'evaluator-lists',
    by: 'viewer',
    endpoints: [listEvaluators, listEvaluatorCollections],
    connections: 10,
    responds: [200, 200],
    requests: () => () => ({}),
  },
  {
    name: 'evaluator-lists-stalled',
    by: 'viewer',
    endpoints: [listEvaluators, listEvaluatorCollections],
    connections: 64,
    responds: [200, 200],
    client: 'stalls',
    requests: () => () => ({}),
  },
  {
    name: 'exports',
    by: 'admin',
    endpoints: [exportTrajectories, exportAuditLog],
    connections: 16,
    responds: [200, 200],
    requests: () => () => ({}),
  },
  {
    name: 'exports-stalled',
    by: 'admin',
    endpoints: [exportTrajectories],
    connections: 64,
    responds: [200],
    client: 'stalls',
    requests: () => () => ({}),
  },
]
