import { limits } from '@assay/contract/limits.ts'
import type { TagChanges, TraceLabels } from '../../../domain/span.ts'
import { type Columns, defineColumns } from './columns.ts'

/*
 * The labels of traces as rows: one per label, of which the newest version counts. That gives what merging the labels of
 * each batch into those before it gives (domain/trace-labels.ts), whichever processes store them.
 */

export interface LabelRow {
  readonly projectId: string
  readonly traceId: string
  readonly label: string
  /** A decimal number. */
  readonly version: string
  readonly arrivedOn: string
  /** JSON. */
  readonly value: string
}

export const labelColumns: Columns<LabelRow> = defineColumns<LabelRow>({
  projectId: ['project_id', 'text'],
  traceId: ['trace_id', 'text'],
  label: ['label', 'text'],
  version: ['version', 'text'],
  arrivedOn: ['arrived_on', 'text'],
  value: ['value', 'text'],
})

/** The labels that a batch sets, each with its value. Name and tags are set even when absent. */
export function toLabelValues(labels: TraceLabels): readonly (readonly [string, string])[] {
  const { rootName, tags, environment, mode, sessionId, userId } = labels
  const optional = Object.entries({ environment, mode, sessionId, userId })
  const values: readonly (readonly [string, unknown])[] = [
    ['batch', { rootName, tags }],
    ...optional.filter(([, value]) => value !== null),
  ]
  return values.map(([label, value]) => [label, JSON.stringify(value)])
}

/** The labels of what a person has changed about the tags. Of a tag that is both added and removed, that it was added. */
export function toTagValues({
  added,
  removed,
}: TagChanges): readonly (readonly [string, string])[] {
  const changes = new Map<string, TagChange>()
  for (const [order, tag] of removed.entries()) changes.set(tag, { isAdded: false, order })
  for (const [order, tag] of added.entries()) changes.set(tag, { isAdded: true, order })
  return [...changes].map(([tag, change]) => [`${tagPrefix}${tag}`, JSON.stringify(change)])
}

interface TagChange {
  readonly isAdded: boolean
  /** Among the changes that were made together. */
  readonly order: number
}

/** Of the labels of tags. */
export const tagPrefix = 'tag '

/** The labels of a trace from its newest rows; null if it has none. */
export function toTraceLabels(
  rows: readonly Pick<LabelRow, 'label' | 'value' | 'version'>[],
): TraceLabels | null {
  if (rows.length === 0) return null
  const ofBatches = rows.filter(({ label }) => !label.startsWith(tagPrefix))
  const { batch = { rootName: null, tags: [] }, ...others } = Object.fromEntries(
    ofBatches.map(({ label, value }) => [label, JSON.parse(value) as unknown]),
  )
  const tagChanges = toTagChanges(rows)
  return {
    ...{ environment: null, mode: null, sessionId: null, userId: null },
    ...(batch as Pick<TraceLabels, 'rootName' | 'tags'>),
    ...others,
    ...(tagChanges !== undefined && { tagChanges }),
  }
}

/** In the order in which they were made, the newest as many as a trace may have. */
function toTagChanges(
  rows: readonly Pick<LabelRow, 'label' | 'value' | 'version'>[],
): TagChanges | undefined {
  const changes = rows
    .filter(({ label }) => label.startsWith(tagPrefix))
    .map(({ label, value, version }) => ({
      ...(JSON.parse(value) as TagChange),
      ...{ tag: label.slice(tagPrefix.length), version: BigInt(version) },
    }))
    .sort((a, b) => (a.version === b.version ? a.order - b.order : a.version < b.version ? -1 : 1))
  if (changes.length === 0) return undefined
  const tagsOf = (requested: boolean) =>
    changes
      .filter(({ isAdded }) => isAdded === requested)
      .map(({ tag }) => tag)
      .slice(-limits.tagsPerTrace.value)
  return { added: tagsOf(true), removed: tagsOf(false) }
}
