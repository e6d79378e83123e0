import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CountRejections, RejectionReason } from './domain/rejection.ts'
import type { CompletedRequest } from './http/request-metrics.ts'
import type { JobRunner } from './jobs/runner.ts'
import type { Notifications } from './platform/notifications.ts'
import type { ChangeFeed } from './storage/telemetry/port/change-feed.ts'
import type { Health } from './storage/telemetry/port/health.ts'
import type { Recorded, Recording } from './storage/telemetry/port/ingest.ts'
import type { TelemetryStore } from './storage/telemetry/port/store.ts'

/*
 * What GET /metrics returns, in Prometheus's text format. Labels have few fixed values: declared paths, methods,
 * statuses and names of store operations. No label holds data of a tenant.
 */

export interface ServiceMetrics {
  onRequestCompleted(request: CompletedRequest): void
  readonly countRejections: CountRejections
  /** The same store, with its operations measured. */
  measured(telemetry: TelemetryStore): TelemetryStore
  /** Adds the number of background jobs by kind and state, counted at each scrape. */
  addJobs(runner: Pick<JobRunner, 'stats'>): void
  /** Adds what processes that share the databases send each other. */
  addNotifications(notifications: Pick<Notifications, 'counts' | 'isConnected'>): void
  /** Adds memory, CPU time, garbage collection and event loop lag; once per process. */
  addProcessMetrics(): void
  text(): Promise<string>
}

export function openServiceMetrics(): ServiceMetrics {
  const registry = new Registry()
  const requests = new Histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Time until the response was sent.',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const timed = operationTimer(registry)
  const counted = spanCounter(registry)
  return {
    onRequestCompleted({ method, path, status, seconds }) {
      requests.observe({ method, path, status }, seconds)
    },
    countRejections: rejectionCounter(registry),
    measured(telemetry) {
      addSearchLag(registry, telemetry)
      const record = (recording: Recording) =>
        counted(recording, timed('record', telemetry.record(recording)))
      const watchChanges = changeCounter(registry, telemetry)
      return new Proxy(telemetry, {
        get(store, name: keyof TelemetryStore) {
          if (name === 'record') return record
          if (name === 'watchChanges') return watchChanges
          const operation = store[name] as (...args: readonly unknown[]) => unknown
          return (...args: readonly unknown[]) => {
            const result = operation(...args)
            return result instanceof Promise ? timed(name, result) : result
          }
        },
      })
    },
    addJobs: (runner) => addJobs(registry, runner),
    addNotifications: (notifications) => addNotifications(registry, notifications),
    addProcessMetrics: () => collectDefaultMetrics({ register: registry }),
    text: () => registry.metrics(),
  }
}

type TimeOperation = <T>(operation: string, result: Promise<T>) => Promise<T>

function operationTimer(registry: Registry): TimeOperation {
  const inFlight = new Gauge({
    name: 'assay_store_operations_in_flight',
    help: 'Operations of the telemetry store that are queued or running.',
    labelNames: ['operation'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'assay_store_operation_duration_seconds',
    help: 'Time that operations of the telemetry store take, queued time included; for record, until the commit.',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  return (operation, result) => {
    inFlight.inc({ operation })
    const stopTimer = durations.startTimer({ operation })
    return result.finally(() => {
      stopTimer()
      inFlight.dec({ operation })
    })
  }
}

type CountSpans = (recording: Recording, recorded: Promise<Recorded>) => Promise<Recorded>

function spanCounter(registry: Registry): CountSpans {
  const spans = new Counter({
    name: 'assay_spans_total',
    help: 'Spans passed to the store: committed, repeated under a known Idempotency-Key, or refused by the store.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  })
  const waitingBytes = new Gauge({
    name: 'assay_spans_waiting_bytes',
    help: 'Size of the span batches that wait for their commit.',
    registers: [registry],
  })
  return async ({ source, spans: { spanCount, sizeBytes } }, recorded) => {
    waitingBytes.inc(sizeBytes)
    try {
      const { repeated, refusedSpans } = await recorded
      // The store refuses a JSON batch as a whole, and of an OTLP batch the spans beyond the limit of the trace.
      const refused = source === 'json' && refusedSpans > 0 ? spanCount : refusedSpans
      spans.inc({ source, outcome: 'refused' }, refused)
      spans.inc({ source, outcome: repeated ? 'repeated' : 'committed' }, spanCount - refused)
    } catch {
      spans.inc({ source, outcome: 'refused' }, spanCount)
    }
    waitingBytes.dec(sizeBytes)
    return recorded
  }
}

function rejectionCounter(registry: Registry): CountRejections {
  const rejected = new Counter({
    name: 'assay_rejected_items_total',
    help: 'Spans, metric data points and log records that were not stored because they are not valid or their trace is full.',
    labelNames: ['signal', 'reason'],
    registers: [registry],
  })
  return (signal, rejections) => {
    for (const [reason, count] of Object.entries(rejections) as [RejectionReason, number][]) {
      if (count > 0) rejected.inc({ signal, reason }, count)
    }
  }
}

function addSearchLag(registry: Registry, telemetry: Health): void {
  new Gauge({
    name: 'assay_search_index_lag_seconds',
    help: 'Age of the oldest stored span that the search index does not contain yet.',
    registers: [registry],
    collect() {
      this.set(telemetry.searchLagMs() / 1000)
    },
  })
}

function changeCounter(
  registry: Registry,
  { watchChanges }: ChangeFeed,
): ChangeFeed['watchChanges'] {
  const changes = new Counter({
    name: 'assay_live_changes_total',
    help: 'Changes delivered to live pages. Of unknown traces: there were too many for a notification, or some were lost, and the page loads its list again.',
    labelNames: ['traces'],
    registers: [registry],
  })
  return (projectId, listener) =>
    watchChanges(projectId, (change) => {
      changes.inc({ traces: change.traceIds === null ? 'unknown' : 'known' })
      listener(change)
    })
}

function addNotifications(
  registry: Registry,
  notifications: Pick<Notifications, 'counts' | 'isConnected'>,
): void {
  const registers = [registry]
  new Counter({
    name: 'assay_notifications_total',
    help: 'Notifications that this process has sent to others or received from them, without those of the connection itself.',
    labelNames: ['direction', 'topic'],
    registers,
    collect() {
      this.reset()
      const { sent, received } = notifications.counts()
      for (const [direction, counts] of Object.entries({ sent, received })) {
        for (const [topic, count] of Object.entries(counts)) this.inc({ direction, topic }, count)
      }
    },
  })
  new Counter({
    name: 'assay_notification_gaps_total',
    help: 'How often notifications may have been lost: the process reads again what it follows.',
    registers,
    collect() {
      this.reset()
      this.inc(notifications.counts().gaps)
    },
  })
  new Counter({
    name: 'assay_notification_connections_lost_total',
    help: 'How often the connection for notifications was lost. It is opened again.',
    registers,
    collect() {
      this.reset()
      this.inc(notifications.counts().lostConnections)
    },
  })
  new Gauge({
    name: 'assay_notifications_connected',
    help: '1 while notifications are delivered; 0: others are polled.',
    registers,
    collect() {
      this.set(Number(notifications.isConnected()))
    },
  })
}

function addJobs(registry: Registry, runner: Pick<JobRunner, 'stats'>): void {
  new Gauge({
    name: 'assay_jobs',
    help: 'Background jobs by kind and state. Missing while the accounts database does not respond.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      const counts = await runner.stats().catch(() => [])
      for (const { kind, state, count } of counts) this.set({ kind, state }, count)
    },
  })
}
