import { CopyButton } from '@assay/ui/CopyButton.tsx'
import styles from './sso.module.css'

interface Props {
  /** Names and values. */
  readonly values: readonly (readonly [name: string, value: string])[]
}

/** Values to copy to the identity provider. */
export function CopyValues({ values }: Props) {
  return (
    <dl className={styles.values}>
      {values.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
            <CopyButton text={value} label={`Copy: ${name}`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
