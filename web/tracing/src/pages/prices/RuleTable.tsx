import type { PriceRule } from '@assay/contract/prices.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatLocal, formatUtc, instantMs } from '@assay/ui/time-format.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { formatExtraTerms, formatTerms } from './price-format.ts'
import styles from './prices.module.css'

interface Props {
  readonly rules: readonly PriceRule[]
  readonly canChange: (rule: PriceRule) => boolean
  readonly onChange: (rule: PriceRule) => void
  readonly onRemove: (rule: PriceRule) => void
}

/** Prices and aliases in the order in which they count. */
export function RuleTable({ rules, canChange, onChange, onRemove }: Props) {
  const canAny = rules.some(canChange)
  return (
    <>
      <p className={page.count}>{countOf(rules.length, 'price or alias', 'prices and aliases')}</p>
      <div className={styles.scroller}>
        <table className={`${styles.table} ${styles.rules}`}>
          <caption className="visually-hidden">Own prices and aliases</caption>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Costs, per million tokens</th>
              <th scope="col">Holds</th>
              <th scope="col">Of</th>
              {canAny && (
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <tr key={rule.id}>
                <td className={styles.name}>
                  <RuleName rule={rule} />
                </td>
                <td className={styles.by}>
                  <Terms rule={rule} />
                </td>
                <td>
                  <Validity rule={rule} />
                </td>
                <td>{rule.scope === 'project' ? 'this project' : 'the organization'}</td>
                {canAny && (
                  <td className={styles.action}>
                    {canChange(rule) && (
                      <>
                        <Button
                          variant="subtle"
                          size="compact-xs"
                          aria-label={`Change ${rule.model}`}
                          onClick={() => onChange(rule)}
                        >
                          Change
                        </Button>
                        <Button
                          variant="subtle"
                          color="red"
                          size="compact-xs"
                          aria-label={`Remove ${rule.model}`}
                          onClick={() => onRemove(rule)}
                        >
                          Remove
                        </Button>
                      </>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function RuleName({ rule: { model, provider } }: { readonly rule: PriceRule }) {
  return (
    <TwoLines below={provider ?? 'any provider'}>
      <span className={styles.model}>{model}</span>
    </TwoLines>
  )
}

function Terms({ rule }: { readonly rule: PriceRule }) {
  const below = [...formatExtraTerms(rule), ...(rule.note === null ? [] : [rule.note])]
  const terms = formatTerms(rule)
  return below.length === 0 ? terms : <TwoLines below={below.join(' · ')}>{terms}</TwoLines>
}

function Validity({ rule: { valid_from, valid_to } }: { readonly rule: PriceRule }) {
  const nowMs = useNow(60_000)
  if (valid_from === null && valid_to === null) return 'always'
  const text = (at: string) => (
    <time dateTime={at} title={formatUtc(at)}>
      {formatLocal(instantMs(at), nowMs)}
    </time>
  )
  return (
    <span className={styles.validity}>
      {valid_from !== null && <span>from {text(valid_from)}</span>}
      {valid_to !== null && <span>until {text(valid_to)}</span>}
    </span>
  )
}
