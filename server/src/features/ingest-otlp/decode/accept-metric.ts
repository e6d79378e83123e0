import type { DecodedMetric, DecodedPoint } from '../../../conventions/decoded-signals.ts'
import type { MetricKind, Temporality } from '../../../domain/metric.ts'
import { placed } from './accept-span.ts'
import type { Problems } from './problems.ts'

/*
 * Which metrics are stored: the rules for both encodings.
 */

export interface MetricDraft {
  name: string
  description: string
  unit: string
  kind: MetricKind
  /** The enumeration's number. */
  temporality: number
  isMonotonic: boolean
  points: (DecodedPoint & { readonly place: number })[]
}

export function newMetricDraft(): MetricDraft {
  return {
    name: '',
    description: '',
    unit: '',
    kind: 'gauge',
    temporality: 0,
    isMonotonic: false,
    points: [],
  }
}

const temporalities: readonly (Temporality | undefined)[] = [undefined, 'delta', 'cumulative']

/** Undefined where the metric is not stored: each of its points is rejected. */
export function acceptMetric(draft: MetricDraft, problems: Problems): DecodedMetric | undefined {
  const { name, kind, points } = draft
  const needsTemporality = kind !== 'gauge' && kind !== 'summary'
  const temporality = needsTemporality ? temporalities[draft.temporality] : 'unspecified'
  const sentence =
    name === ''
      ? 'The metric has no name'
      : temporality === undefined
        ? 'The metric has no aggregation temporality'
        : undefined
  if (sentence !== undefined || temporality === undefined) {
    for (const { place } of points) {
      problems.reject({ reason: 'invalid_value', sentence: sentence ?? '' }, placed(place))
    }
    return undefined
  }
  if (points.length === 0) return undefined
  return {
    name,
    description: draft.description,
    unit: draft.unit,
    kind,
    temporality,
    isMonotonic: kind === 'sum' && draft.isMonotonic,
    points: points.map(({ place: _, ...point }) => point),
  }
}
