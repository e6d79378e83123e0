import { limits } from '@assay/contract/limits.ts'
import { type JsonText, toStorableText } from '../domain/json-text.ts'
import type { Exemplar, Measurement } from '../domain/metric.ts'
import { attributesJson } from './attribute-json.ts'
import type { DecodedGroup, DecodedMetric, DecodedPoint } from './decoded-signals.ts'
import type { Attributes } from './decoded-span.ts'
import { readResourceAndScope } from './resource-and-scope.ts'

/*
 * From decoded metrics to measurements: each point beside the series it belongs to.
 */

export function normalizeMetrics(groups: readonly DecodedGroup<DecodedMetric>[]): Measurement[] {
  return groups.flatMap((group) => {
    const { service, resource, scope } = readResourceAndScope(group)
    return group.items.flatMap(({ points, ...metric }) => {
      const common = {
        name: shortened(metric.name),
        kind: metric.kind,
        unit: shortened(metric.unit),
        description: toStorableText(
          metric.description.slice(0, limits.metricDescriptionLength.value),
        ),
        temporality: metric.temporality,
        isMonotonic: metric.isMonotonic,
        service: service === undefined ? null : shortened(service),
        resource,
        scope,
      }
      return points.map((point) => ({
        series: { ...common, attributes: orderedJson(point.attributes) },
        point: {
          at: point.at,
          startedAt: point.startedAt === 0n ? null : point.startedAt,
          value: point.distribution === null ? point.value + 0 : null,
          distribution: point.distribution,
          exemplars: toExemplars(point),
        },
      }))
    })
  })
}

function shortened(text: string): string {
  return toStorableText(text.slice(0, limits.metricNameLength.value))
}

/** Senders send the attributes of one series in any order. */
function orderedJson(attributes: Attributes): JsonText {
  if (attributes.size < 2) return attributesJson(attributes)
  return attributesJson(new Map([...attributes].sort(([a], [b]) => (a < b ? -1 : 1))))
}

function toExemplars({ exemplars }: DecodedPoint): Exemplar[] {
  return exemplars.map(({ at, value, traceId, spanId, attributes }) => ({
    at: at === 0n ? null : at,
    value,
    traceId: traceId || null,
    spanId: spanId || null,
    attributes: attributesJson(attributes),
  }))
}
