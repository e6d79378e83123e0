import type { DataOf } from '@assay/contract/endpoint.ts'
import type { JudgeInput, tryEvaluator } from '@assay/contract/evaluations.ts'
import { isJudge } from '@assay/contract/evaluators.ts'
import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { EvaluationResultRow } from '../../evaluation/EvaluationResultRow.tsx'
import results from '../../evaluation/evaluation-result.module.css'
import { CostText } from '../../parts/CostText.tsx'
import { spanLink } from '../../parts/span-link.ts'
import { nextStepAfter } from './next-step.ts'
import styles from './trial.module.css'

interface Props {
  readonly trial: DataOf<typeof tryEvaluator>
  readonly projectId: string
  readonly traceId: string
  /** The inputs are those of placeholders. */
  readonly isTemplate: boolean
  /** The evaluator has changed since. */
  readonly isOutdated: boolean
}

/** The result of a trial, what it cost, and what the judge read. */
export function TrialResult({ trial, projectId, traceId, isTemplate, isOutdated }: Props) {
  const { result, inputs } = trial
  const section = useRef<HTMLElement>(null)
  // It is below the edge of the dialog.
  useEffect(() => {
    if (result !== undefined) section.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  const nextStep = nextStepAfter(result.reasoning)
  const tokens = (result.tokens_in ?? 0) + (result.tokens_out ?? 0)
  return (
    <section ref={section} className={styles.result} aria-label="Result of the trial">
      {isOutdated && (
        <p className={styles.note} role="status">
          The evaluator has changed since this result.
        </p>
      )}
      <ul className={results.results}>
        <EvaluationResultRow
          result={result}
          renderQuote={({ span_id, quote }) => (
            <Link {...spanLink(projectId, traceId, span_id)} target="_blank">
              {quote}
            </Link>
          )}
        />
      </ul>
      {nextStep !== undefined && <p className={styles.note}>{nextStep}</p>}
      <p className={styles.about}>
        {formatDuration(result.latency_ms)}
        {isJudge(result) && tokens > 0 && (
          <>
            {`, ${formatTokens(tokens)} tokens, `}
            {result.cost_usd === null ? 'cost unknown' : <CostText usd={result.cost_usd} />}
          </>
        )}
      </p>
      {inputs.length > 0 && (
        <>
          <h4 className={styles.subtitle}>What the judge reads</h4>
          {inputs.map((input) => (
            <Input key={input.name} input={input} isTemplate={isTemplate} />
          ))}
        </>
      )}
    </section>
  )
}

interface InputProps {
  readonly input: JudgeInput
  readonly isTemplate: boolean
}

function Input({ input, isTemplate }: InputProps) {
  const { name, is_empty: isEmpty, characters, preview } = input
  const label = isTemplate ? <code>{`{{${name}}}`}</code> : name
  if (isEmpty) {
    return (
      <p className={styles.empty}>
        {label} <strong>empty</strong>: the trace has no {name.replaceAll('-', ' ')}
      </p>
    )
  }
  return (
    <details className={styles.input}>
      <summary>
        {label} {formatCount(characters)} characters
      </summary>
      <pre className={styles.preview}>{preview}</pre>
    </details>
  )
}
