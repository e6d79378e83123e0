import { TextInput } from '@mantine/core'
import styles from './prices.module.css'
import type { FieldOf } from './rule-field.ts'

interface Props {
  readonly field: FieldOf
  /** There are prices of long calls already. */
  readonly isLong: boolean
}

/** Dollars per million tokens, and what makes them others. */
export function PriceFields({ field, isLong }: Props) {
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Dollars per million tokens</legend>
        <div className={styles.trio}>
          <Dollars label="In" {...field('input_usd_per_mtok')} />
          <Dollars label="Out" {...field('output_usd_per_mtok')} />
          <Dollars label="Cache read" placeholder="as in" {...field('cache_read_usd_per_mtok')} />
          <Dollars label="Cache write" placeholder="as in" {...field('cache_write_usd_per_mtok')} />
          <Dollars
            label="Kept for an hour"
            placeholder="as cache write"
            {...field('cache_write_1h_usd_per_mtok')}
          />
          <Dollars label="Once a call" placeholder="nothing" {...field('request_usd')} />
        </div>
      </fieldset>
      <details className={styles.more} open={isLong}>
        <summary>Service tiers and long calls</summary>
        <fieldset className={styles.group}>
          <legend>What a service tier multiplies the prices by; empty for no price</legend>
          <div className={styles.trio}>
            <Dollars label="Batch" placeholder="0.5" {...field('service_tiers.batch')} />
            <Dollars label="Flex" placeholder="0.5" {...field('service_tiers.flex')} />
            <Dollars label="Priority" placeholder="2" {...field('service_tiers.priority')} />
          </div>
        </fieldset>
        <fieldset className={styles.group}>
          <legend>The prices of a whole call that has more input than so many tokens</legend>
          <div className={styles.trio}>
            <Dollars
              label="More tokens than"
              placeholder="200000"
              {...field('long_context.above_tokens')}
            />
            <Dollars label="Long: in" {...field('long_context.input_usd_per_mtok')} />
            <Dollars label="Long: out" {...field('long_context.output_usd_per_mtok')} />
            <Dollars label="Long: cache read" {...field('long_context.cache_read_usd_per_mtok')} />
            <Dollars
              label="Long: cache write"
              {...field('long_context.cache_write_usd_per_mtok')}
            />
            <Dollars
              label="Long: kept for an hour"
              {...field('long_context.cache_write_1h_usd_per_mtok')}
            />
          </div>
        </fieldset>
      </details>
    </>
  )
}

type DollarsProps = ReturnType<FieldOf> & {
  readonly label: string
  readonly placeholder?: string
}

function Dollars(props: DollarsProps) {
  return <TextInput inputMode="decimal" autoComplete="off" size="xs" {...props} />
}
