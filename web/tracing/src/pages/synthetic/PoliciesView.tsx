import type { BlueprintPolicy } from '@assay/contract/blueprint.ts'
import page from '../../page/page.module.css'
import { SourceText } from './SourceText.tsx'
import styles from './synthetic.module.css'

interface Props {
  readonly policies: readonly BlueprintPolicy[]
  /** Of the source. */
  readonly text: string
  readonly selected: string | undefined
  readonly onSelect: (policy: string) => void
}

/** The policies beside the source, in which the sentence of the selected one is highlighted. */
export function PoliciesView({ policies, text, selected, onSelect }: Props) {
  const shown = policies.find(({ id }) => id === selected)
  if (policies.length === 0) return <p className={page.note}>The blueprint has no policies.</p>
  return (
    <div className={styles.beside}>
      <ol className={styles.policies} aria-label="Policies">
        {policies.map((policy) => (
          <li key={policy.id}>
            <p className={styles.prose}>
              <strong>{policy.id}</strong> {policy.text}
            </p>
            {policy.source_quote === null ? (
              <p className={page.note}>Not found in the source. Check it.</p>
            ) : (
              <button
                type="button"
                className={styles.quote}
                aria-pressed={policy === shown}
                title="Show in the source"
                onClick={() => onSelect(policy.id)}
              >
                {policy.source_quote}
              </button>
            )}
            {policy.tools.length > 0 && (
              <p className={page.note}>Tools: {policy.tools.join(', ')}</p>
            )}
          </li>
        ))}
      </ol>
      <div className={styles.sourceBeside}>
        <h2 className={page.heading}>Source</h2>
        <SourceText
          text={text}
          start={shown?.source_start ?? null}
          end={shown?.source_end ?? null}
        />
      </div>
    </div>
  )
}
