import type { SearchChange } from '@assay/account/routes/search-params.ts'
import {
  defaultEstimateModels,
  type ModelEstimate,
  type Volumes,
} from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { useDebouncedInput } from '@assay/ui/use-debounced-input.ts'
import { NativeSelect, SegmentedControl, Switch, Textarea } from '@mantine/core'
import page from '../../page/page.module.css'
import { AmountInput } from './AmountInput.tsx'
import { meanAssumption } from './assumption-labels.ts'
import styles from './cost-calculator.module.css'
import type { EstimateSearch } from './estimate-search.ts'
import {
  defaultRunsPerMonth,
  defaultScenarios,
  requestedModels,
  splitModels,
} from './estimate-settings.ts'

interface Props {
  readonly search: EstimateSearch
  /** Undefined while they load. */
  readonly configs: readonly ModelConfig[] | undefined
  readonly imported: Volumes | undefined
  readonly assumptions: ModelEstimate['assumptions']
  readonly onChange: (change: SearchChange<EstimateSearch>) => void
}

/** The settings of an estimate. */
export function EstimateControls({ search, configs, imported, assumptions, onChange }: Props) {
  const toggle = (name: 'uncached' | 'multi', isOn: boolean) =>
    onChange({ [name]: isOn ? '1' : undefined })
  const amount = (name: 'scenarios' | 'turns' | 'calls' | 'month') => ({
    name,
    value: search[name] ?? '',
    onChange: (text: string) => onChange({ [name]: text === '' ? undefined : text }),
  })
  const isRecorded = imported !== undefined
  return (
    <section className={page.box} aria-label="Settings of the estimate">
      <div className={styles.amounts}>
        <AmountInput
          label="Runs per month"
          assumed={imported?.runs_per_month ?? defaultRunsPerMonth}
          source={
            imported?.runs_per_month === undefined ? undefined : 'Recorded in the last 30 days'
          }
          sliderMax={100_000}
          {...amount('month')}
        />
        <AmountInput
          label="Model calls per run"
          assumed={meanAssumption(assumptions, 'calls_per_run')}
          source={isRecorded && search.turns === undefined ? 'From recorded runs' : undefined}
          sliderMax={50}
          {...amount('calls')}
        />
        <AmountInput
          label="User messages per run"
          assumed={meanAssumption(assumptions, 'turns_per_run')}
          source={isRecorded ? 'From recorded runs' : undefined}
          sliderMax={30}
          {...amount('turns')}
        />
        <AmountInput
          label="Scenarios"
          assumed={defaultScenarios}
          sliderMax={limits.scenariosPerRun.value}
          {...amount('scenarios')}
        />
      </div>
      <div className={page.line}>
        <Switch
          label="Prompt cache"
          checked={search.uncached === undefined}
          onChange={(event) => toggle('uncached', !event.currentTarget.checked)}
        />
        <Switch
          label="Include multi-turn conversations"
          checked={search.multi !== undefined}
          onChange={(event) => toggle('multi', event.currentTarget.checked)}
        />
        <NativeSelect
          aria-label="Service tier"
          size="xs"
          data={[
            { value: 'standard', label: 'Standard prices' },
            { value: 'batch', label: 'Batch prices' },
            { value: 'flex', label: 'Flex prices' },
          ]}
          value={search.tier ?? 'standard'}
          onChange={({ currentTarget: { value } }) =>
            onChange({ tier: value === 'batch' || value === 'flex' ? value : undefined })
          }
        />
        {search.tier !== undefined && (
          <span className="dimmed">Scenarios run at standard prices.</span>
        )}
        {isRecorded && (
          <span className="dimmed">
            {search.turns === undefined && search.calls === undefined
              ? 'Volumes are from the recorded runs, combined with typical values.'
              : 'What each call adds and writes is as recorded.'}
          </span>
        )}
      </div>
      <div className={styles.models}>
        <SegmentedControl
          aria-label="Models"
          data={[
            { value: 'listed', label: 'Listed models' },
            { value: 'own', label: 'Your models' },
          ]}
          value={search.own === undefined ? 'listed' : 'own'}
          onChange={(value) => onChange({ own: value === 'own' ? '1' : undefined })}
        />
        {search.own === undefined ? (
          <ModelNames search={search} onChange={onChange} />
        ) : (
          (configs?.length ?? 0) > limits.estimatedModels.value && (
            <p className={page.note}>The first {limits.estimatedModels.value} are estimated.</p>
          )
        )}
      </div>
    </section>
  )
}

type ModelsProps = Pick<Props, 'search' | 'onChange'>

function ModelNames({ search, onChange }: ModelsProps) {
  const names = requestedModels(search)
  const isDefault = search.models === undefined
  const { text, type, flush } = useDebouncedInput(search.models ?? '', (models) =>
    onChange({ models: models === '' ? undefined : models }),
  )
  const count = splitModels(text).length
  const max = limits.estimatedModels.value
  return (
    <Textarea
      aria-label="Names of models"
      description={`Names separated by commas, also provider/model.${isDefault ? ` By default ${names.length} current models.` : ''}`}
      placeholder={defaultEstimateModels.join(', ')}
      error={count > max ? `Must be at most ${max} models` : undefined}
      autosize
      minRows={2}
      maxRows={6}
      spellCheck={false}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={flush}
    />
  )
}
