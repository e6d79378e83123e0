import type { AccuracyMeasurement, EvaluatorAccuracy } from '@assay/contract/evaluators.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { CodeText } from '../../parts/CodeText.tsx'
import { formatAccuracy } from './evaluator-labels.ts'
import styles from './evaluators.module.css'

interface Props {
  readonly accuracy: EvaluatorAccuracy
}

/** Each measurement of an evaluator, or why there is none. */
export function AccuracyFacts({ accuracy: { measurements, note } }: Props) {
  if (measurements.length === 0) {
    return (
      <p className={styles.measurement}>
        Not measured. <CodeText text={note ?? ''} />
      </p>
    )
  }
  return (
    <ul className={styles.measurements}>
      {measurements.map((one) => (
        <li key={one.data.name} className={styles.measurement}>
          <MeasurementText measurement={one} />
        </li>
      ))}
    </ul>
  )
}

function MeasurementText({ measurement }: { readonly measurement: AccuracyMeasurement }) {
  const { data, method, cases, faulty, caveat, measured_at: date } = measurement
  return (
    <>
      <strong>{formatAccuracy(measurement)}</strong> on {countOf(cases, 'case')}{' '}
      {data.url === null ? (
        'made for this measurement'
      ) : (
        <>
          of{' '}
          <a href={data.url} target="_blank" rel="noreferrer">
            {data.name}
          </a>{' '}
          ({data.license})
        </>
      )}
      , {countOf(faulty, 'fault')}, measured on {date}. {method}{' '}
      {caveat !== null && <CodeText text={caveat} />}
    </>
  )
}
