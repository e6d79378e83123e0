import type { AccuracyMeasurement, EvaluatorAccuracy } from '@assay/contract/evaluators.ts'
import type { Agreement } from './agreement.ts'
import type { LabeledSet } from './labeled-set.ts'
import { unmeasured } from './unmeasured.ts'

/*
 * The figures that the catalogue shows.
 */

export interface Measured {
  readonly set: LabeledSet
  readonly agreement: Agreement
}

/** One evaluator a line: its measurements in the order of the sets, or why there are none. */
export function accuracyJson(
  keys: readonly string[],
  measured: readonly Measured[],
  date: string,
): string {
  const lines = keys.map((key) => {
    const own = measured.filter(({ set }) => set.evaluator.key === key)
    const accuracy: EvaluatorAccuracy = {
      measurements: own.map((one) => toMeasurement(one, date)),
      note: own.length === 0 ? (unmeasured[key] ?? null) : null,
    }
    return `${JSON.stringify(key)}: ${JSON.stringify(accuracy)}`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

function toMeasurement({ set, agreement }: Measured, date: string): AccuracyMeasurement {
  const { source, method, caveat } = set
  const { cases, faulty, precision, recall, kappa } = agreement
  const data =
    source === null
      ? { name: 'cases made for this measurement', license: 'Apache-2.0', url: null }
      : {
          ...{ name: source.name, license: source.license },
          url: `https://github.com/${source.repository}/tree/${source.commit}`,
        }
  return {
    ...{ data, method, cases, faulty },
    ...{ precision: rounded(precision), recall: rounded(recall), kappa: rounded(kappa) },
    ...{ caveat, measured_at: date },
  }
}

function rounded<Value extends number | null>(value: Value): Value | number {
  return value === null ? value : Math.round(value * 1000) / 1000
}
