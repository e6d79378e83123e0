import type { MutationForm } from '@assay/account/form/use-mutation-form.ts'
import { TextInput } from '@mantine/core'
import styles from './prices.module.css'
import type { RuleValues } from './rule-values.ts'

interface Props {
  readonly field: MutationForm<RuleValues>['field']
  /** Long-context prices are set. */
  readonly isLong: boolean
}

/** Prices in dollars per million tokens, and what changes them. */
export function PriceFields({ field, isLong }: Props) {
  return (
    <>
      <PriceGroup
        title="Dollars per million tokens"
        field={field}
        inputs={[
          ['input_usd_per_mtok', 'Input'],
          ['output_usd_per_mtok', 'Output'],
          ['cache_read_usd_per_mtok', 'Cache read', 'as input'],
          ['cache_write_usd_per_mtok', 'Cache write', 'as input'],
          ['cache_write_1h_usd_per_mtok', 'Cache write (1 h)', 'as cache write'],
          ['request_usd', 'Per request', 'none'],
        ]}
      />
      <details className={styles.more} open={isLong}>
        <summary>Service tiers and long context</summary>
        <PriceGroup
          title="Price multipliers of service tiers; a tier without one has no price"
          field={field}
          inputs={[
            ['service_tiers.batch', 'Batch', '0.5'],
            ['service_tiers.flex', 'Flex', '0.5'],
            ['service_tiers.priority', 'Priority', '2'],
          ]}
        />
        <PriceGroup
          title="Prices of calls with more input tokens than a threshold"
          field={field}
          inputs={[
            ['long_context.above_tokens', 'Threshold', '200000'],
            ['long_context.input_usd_per_mtok', 'Long: input'],
            ['long_context.output_usd_per_mtok', 'Long: output'],
            ['long_context.cache_read_usd_per_mtok', 'Long: cache read'],
            ['long_context.cache_write_usd_per_mtok', 'Long: cache write'],
            ['long_context.cache_write_1h_usd_per_mtok', 'Long: cache write (1 h)'],
          ]}
        />
      </details>
    </>
  )
}

interface GroupProps extends Pick<Props, 'field'> {
  readonly title: string
  readonly inputs: readonly (readonly [path: string, label: string, placeholder?: string])[]
}

function PriceGroup({ title, field, inputs }: GroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      <div className={styles.threeColumns}>
        {inputs.map(([path, label, placeholder]) => (
          <TextInput
            key={path}
            label={label}
            placeholder={placeholder ?? ''}
            inputMode="decimal"
            autoComplete="off"
            size="xs"
            {...field(path)}
          />
        ))}
      </div>
    </fieldset>
  )
}
