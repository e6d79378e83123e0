import type { Blueprint } from '@assay/contract/blueprint.ts'
import page from '../../page/page.module.css'
import styles from './synthetic.module.css'

export function AgentView({ agent }: { readonly agent: Blueprint['agent'] }) {
  const { system_prompt: prompt, tone, memory, goals } = agent
  return (
    <div className={styles.stack}>
      <section className={styles.section} aria-label="System prompt">
        <h2 className={page.heading}>System prompt</h2>
        <pre className={styles.text}>{prompt}</pre>
      </section>
      {tone !== '' && (
        <section className={styles.section} aria-label="Tone">
          <h2 className={page.heading}>Tone</h2>
          <p className={styles.prose}>{tone}</p>
        </section>
      )}
      {memory !== '' && (
        <section className={styles.section} aria-label="Memory">
          <h2 className={page.heading}>Memory</h2>
          <pre className={styles.text}>{memory}</pre>
        </section>
      )}
      <section className={styles.section} aria-label="Goals">
        <h2 className={page.heading}>Goals</h2>
        {goals.length === 0 ? (
          <p className={page.note}>None.</p>
        ) : (
          <ul className={styles.list}>
            {goals.map((goal, at) => (
              <li key={at}>{goal}</li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
