import type { MutationForm } from '@assay/account/form/use-mutation-form.ts'
import { TextInput } from '@mantine/core'
import type { ModelValues } from './model-values.ts'
import styles from './models.module.css'

interface Props {
  readonly field: MutationForm<ModelValues>['field']
  readonly isOpen: boolean
}

/** The prices of a model, folded away unless they are set. */
export function PriceInputs({ field, isOpen }: Props) {
  const input = { inputMode: 'decimal', autoComplete: 'off', size: 'xs' } as const
  return (
    <details className={styles.prices} open={isOpen}>
      <summary>Prices, if they differ from the price list</summary>
      <p className={styles.note}>Dollars per million tokens</p>
      <div className={styles.columns}>
        <TextInput label="Input" {...input} {...field('input_usd_per_mtok')} />
        <TextInput label="Output" {...input} {...field('output_usd_per_mtok')} />
        <TextInput
          label="Cache read"
          placeholder="as input"
          {...input}
          {...field('cache_read_usd_per_mtok')}
        />
      </div>
    </details>
  )
}
