import { TextButton } from '@assay/ui/TextButton.tsx'
import { useDebouncedInput } from '@assay/ui/use-debounced-input.ts'
import { TextInput } from '@mantine/core'
import { ignoreEnter } from '../../form/ignore-enter.ts'
import { parseNumber } from '../../form/parse-number.ts'
import styles from './cost-calculator.module.css'
import { type AmountName, amountError, amountRanges } from './estimate-settings.ts'

interface Props {
  readonly label: string
  readonly name: AmountName
  /** Empty if the assumed value applies. */
  readonly value: string
  /** Undefined until the first estimate. */
  readonly assumed: number | undefined
  /** Where that value is from, if it is not assumed. */
  readonly source?: string | undefined
  /** The field accepts more. */
  readonly sliderMax: number
  readonly onChange: (text: string) => void
}

const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, useGrouping: false })
/** Positions of a slider. Small numbers take as much of it as large ones. */
const steps = 200

/** A number with a slider, for trying out values. */
export function AmountInput({ label, name, value, assumed, source, sliderMax, onChange }: Props) {
  const { text, type, flush } = useDebouncedInput(value, onChange)
  const { min, isWhole } = amountRanges[name]
  const error = amountError(name, text)
  const typed = error === undefined ? parseNumber(text) : null
  const current = typed ?? assumed ?? min
  const growth = Math.log(sliderMax + 1 - min) / steps
  const toPosition = (amount: number) =>
    Math.round(Math.log(Math.max(amount, min) + 1 - min) / growth)
  const toAmount = (position: number) => {
    const amount = min + Math.exp(position * growth) - 1
    return String(isWhole || amount >= 10 ? roundTo2(amount) : Math.round(amount * 10) / 10)
  }
  return (
    <div className={styles.amount}>
      <TextInput
        label={label}
        description={
          text === '' ? (
            (source ?? 'Assumed')
          ) : (
            <TextButton onClick={() => type('')}>
              Reset to the {source === undefined ? 'assumed' : 'recorded'} value
            </TextButton>
          )
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder={assumed === undefined ? '' : decimal.format(assumed)}
        error={error}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={flush}
        onKeyDown={ignoreEnter}
      />
      <input
        type="range"
        className={styles.slider}
        aria-label={`${label}, slider`}
        aria-valuetext={decimal.format(current)}
        min={0}
        max={steps}
        value={Math.min(steps, toPosition(current))}
        onChange={(event) => type(toAmount(Number(event.currentTarget.value)))}
      />
    </div>
  )
}

/** Two significant digits, and whole. */
function roundTo2(amount: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, amount))) - 1)
  return Math.round(amount / unit) * unit
}
