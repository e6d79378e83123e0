import { type Evaluator, isJudge } from '@assay/contract/evaluators.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import page from '../../page/page.module.css'
import { CodeText } from '../../parts/CodeText.tsx'
import { AccuracyFacts } from './AccuracyFacts.tsx'
import { formatThreshold } from './evaluator-labels.ts'
import styles from './evaluators.module.css'
import { TemplateText } from './TemplateText.tsx'

interface Props {
  readonly evaluator: Evaluator
  /** Was just created: scrolls into view. */
  readonly isNew: boolean
  /** Above the rest. */
  readonly action: ReactNode
  readonly children: ReactNode
}

/** Everything about an evaluator that its row has no room for. */
export function EvaluatorDetails({ evaluator, isNew, action, children }: Props) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNew) element.current?.scrollIntoView({ block: 'center' })
  }, [isNew])
  const { key, description, tags, reads, threshold, accuracy } = evaluator
  const { prompt_template: template } = evaluator
  const others = tags.filter((tag) => !evaluator.is_default || !/^(?:gate|warn)$/.test(tag))
  return (
    <div ref={element} className={styles.details}>
      {action}
      <p className={styles.description}>
        {description === '' ? 'No description.' : <CodeText text={description} />}
      </p>
      <dl className={page.facts}>
        <dt>Reads</dt>
        <dd>{reads.join(', ')}</dd>
        <dt>Passes</dt>
        <dd>with a score of {formatThreshold(threshold)} or more; 1 is always good</dd>
        <dt>A failure</dt>
        <dd>{aboutUse(evaluator)}</dd>
        {accuracy !== null && (
          <>
            <dt>Accuracy</dt>
            <dd>
              <AccuracyFacts accuracy={accuracy} />
            </dd>
          </>
        )}
        {others.length > 0 && (
          <>
            <dt>Tags</dt>
            <dd>{others.join(', ')}</dd>
          </>
        )}
        {key !== null && (
          <>
            <dt>Key</dt>
            <dd>
              <code>{key}</code>
            </dd>
          </>
        )}
        {template !== null && (
          <>
            <dt>{evaluator.is_default ? 'Instructions' : 'Prompt'}</dt>
            <dd>
              <pre className={styles.prompt}>
                <TemplateText template={template} />
              </pre>
            </dd>
          </>
        )}
      </dl>
      {children}
    </div>
  )
}

function aboutUse(evaluator: Evaluator): string {
  if (!evaluator.is_default) return 'depends on the prompt: compare it with your own reviews first'
  if (evaluator.tags.includes('gate')) {
    const isMeasured = (evaluator.accuracy?.measurements.length ?? 0) > 0
    return isMeasured
      ? 'is precise enough to block a release'
      : 'can block a release: the check is deterministic, but its accuracy is not measured'
  }
  return isJudge(evaluator)
    ? 'is a reason to look: judges are sometimes wrong'
    : 'is a reason to look: the check has false alarms or misses cases'
}
