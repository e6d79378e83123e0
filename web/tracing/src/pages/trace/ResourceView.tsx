import { isFields } from '@assay/contract/message-parts.ts'
import type { Span } from '@assay/contract/traces.ts'
import { AttributeTable } from '../../parts/AttributeTable.tsx'
import styles from './span.module.css'

interface Props {
  readonly span: Span
  readonly projectId: string
}

/** What sent the span: its resource, and the library that made it. */
export function ResourceView({ span: { resource, scope }, projectId }: Props) {
  return (
    <>
      <Origin title="Resource" value={resource} label="resource attributes" filterIn={projectId} />
      <Origin title="Instrumentation scope" value={scope} label="scope attributes" />
    </>
  )
}

interface OriginProps {
  readonly title: string
  readonly value: Readonly<Record<string, unknown>>
  readonly label: string
  /** The project whose traces can be filtered by the attributes. */
  readonly filterIn?: string
}

const names: Readonly<Record<string, string>> = {
  name: 'Name',
  version: 'Version',
  schema_url: 'Schema URL',
  dropped_attributes_count: 'Dropped attributes',
}

function Origin({ title, value, label, ...rest }: OriginProps) {
  const { attributes, ...facts } = value
  if (Object.keys(value).length === 0) return null
  return (
    <>
      <h3 className={styles.part}>{title}</h3>
      {Object.keys(facts).length > 0 && (
        <dl className={styles.facts}>
          {Object.entries(facts).map(([name, fact]) => (
            <div key={name} className={styles.fact}>
              <dt>{names[name] ?? name}</dt>
              <dd>{typeof fact === 'string' ? fact : JSON.stringify(fact)}</dd>
            </div>
          ))}
        </dl>
      )}
      {isFields(attributes) && <AttributeTable attributes={attributes} label={label} {...rest} />}
    </>
  )
}
