import type { SearchChange } from '@assay/account/routes/search-params.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import { useDebouncedInput } from '@assay/ui/use-debounced-input.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ignoreEnter } from '../../form/ignore-enter.ts'
import page from '../../page/page.module.css'
import styles from './cost-calculator.module.css'
import {
  formatWeights,
  type LimitName,
  limitError,
  limitNames,
  noSettings,
  readSettings,
  readWeight,
  type WeightName,
  weightNames,
} from './recommendation-settings.ts'
import type { RunSearch } from './run-search.ts'

interface Props {
  readonly search: RunSearch
  readonly onSearch: (change: SearchChange<RunSearch>) => void
}

/** What matters for a recommendation, and what the model may cost and take at most. */
export function RecommendationControls({ search, onSearch }: Props) {
  const isChanged = [...weightNames, ...limitNames].some((name) => search[name] !== undefined)
  // Stays as the person leaves it.
  const [isOpenAtFirst] = useState(isChanged)
  return (
    <details className={styles.more} open={isOpenAtFirst}>
      <summary>Weights and limits ({formatWeights(search)})</summary>
      <div className={styles.amounts}>
        {weightNames.map((name) => (
          <Weight
            key={name}
            name={name}
            value={readWeight(search, name)}
            onChange={(value) => onSearch({ [name]: value })}
          />
        ))}
      </div>
      {readSettings(search) === undefined && (
        <p className={styles.error} role="alert">
          Give at least one of them a weight.
        </p>
      )}
      <div className={styles.amounts}>
        {limitNames.map((name) => (
          <Limit
            key={name}
            name={name}
            value={search[name] ?? ''}
            onChange={(text) => onSearch({ [name]: text === '' ? undefined : text })}
          />
        ))}
      </div>
      <p className={page.note}>
        By default, half the cost is worth about nine points of quality.{' '}
        {isChanged && <TextButton onClick={() => onSearch(noSettings)}>Reset all</TextButton>}
      </p>
    </details>
  )
}

const weightLabels: Readonly<Record<WeightName, string>> = {
  quality: 'Quality',
  cost: 'Cost',
  latency: 'Latency',
}

interface WeightProps {
  readonly name: WeightName
  readonly value: number
  readonly onChange: (value: string) => void
}

function Weight({ name, value, onChange }: WeightProps) {
  const { text, type } = useDebouncedInput(String(value), onChange)
  return (
    <label className={styles.amount}>
      <span className={styles.weight}>
        {weightLabels[name]} <span className="number dimmed">{text}</span>
      </span>
      <input
        type="range"
        className={styles.slider}
        aria-label={`Weight of ${name}`}
        min={0}
        max={100}
        step={5}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
      />
    </label>
  )
}

const limitTexts: Readonly<Record<LimitName, readonly [label: string, description: string]>> = {
  max_cost: ['Cost at most (USD)', 'Mean of a scenario'],
  min_score: ['Score at least', 'Mean, from 0 to 1'],
  max_latency: ['Latency at most (s)', 'Median of a scenario'],
}

interface LimitProps {
  readonly name: LimitName
  readonly value: string
  readonly onChange: (text: string) => void
}

function Limit({ name, value, onChange }: LimitProps) {
  const { text, type, flush } = useDebouncedInput(value, onChange)
  const [label, description] = limitTexts[name]
  return (
    <TextInput
      label={label}
      description={description}
      placeholder="No limit"
      error={limitError(name, text)}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={flush}
      onKeyDown={ignoreEnter}
    />
  )
}
