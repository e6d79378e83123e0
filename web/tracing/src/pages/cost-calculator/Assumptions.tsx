import type { CostEstimate, ModelEstimate } from '@assay/contract/cost-calculator.ts'
import { formatCost } from '@assay/ui/number-format.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { DocsLink } from '../../parts/DocsLink.tsx'
import {
  formatAssumption,
  formatFactor,
  labelAssumption,
  originLabels,
} from './assumption-labels.ts'
import styles from './cost-calculator.module.css'

/** What the estimate of a model assumes, and which assumptions matter most. */
export function Assumptions({ estimate: { perModel } }: { readonly estimate: CostEstimate }) {
  const [name, setName] = useState('')
  const priced = perModel.filter(({ costUsd }) => costUsd !== null)
  const one = perModel.find(({ model }) => model === name) ?? priced[0] ?? perModel[0]
  if (one === undefined) return null
  const names = [...new Set(perModel.map(({ model }) => model))]
  return (
    <section className={page.section} aria-label="Assumptions">
      <div className={page.boxHead}>
        <h2 className={page.heading}>Assumptions</h2>
        <NativeSelect
          aria-label="Assumptions for"
          data={names}
          value={one.model}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </div>
      {one.drivers.length > 0 && <Drivers estimate={one} />}
      <DataTable
        caption={`Assumptions for ${one.model}`}
        rows={one.assumptions}
        columns={columns}
        rowKey={({ name: key }) => key}
      />
      <p className={page.note}>
        An agent sends its whole context with each call, so long runs cost more than in proportion.
        What is assumed comes from recorded runs of a support agent and from published factors.
        Images are not counted. See{' '}
        <DocsLink anchor="estimate-accuracy">how accurate estimates are</DocsLink> and{' '}
        <DocsLink anchor="post-projects-projectid-cost-calculator-estimate">
          what an estimate can take into account
        </DocsLink>
        .
      </p>
    </section>
  )
}

function Drivers({ estimate: { drivers } }: { readonly estimate: ModelEstimate }) {
  return (
    <div className={styles.drivers}>
      <h3 className={styles.subtitle}>What matters most</h3>
      <ol>
        {drivers.map((driver) => (
          <li key={driver.name}>{formatDriver(driver)}</li>
        ))}
      </ol>
    </div>
  )
}

function formatDriver({ name, changedBy, effectUsd }: ModelEstimate['drivers'][number]): string {
  const { label } = labelAssumption(name)
  const direction = effectUsd < 0 ? 'less' : 'more'
  return `${label}: ${formatFactor(changedBy)} the assumed value costs ${formatCost(Math.abs(effectUsd))} ${direction} in all scenarios.`
}

const columns: readonly Column<ModelEstimate['assumptions'][number]>[] = [
  {
    key: 'name',
    header: 'Assumption',
    cell: ({ name }) => {
      const { label, category } = labelAssumption(name)
      return category === undefined ? label : <TwoLines below={category}>{label}</TwoLines>
    },
  },
  { key: 'value', header: 'Value', align: 'end', cell: formatAssumption },
  { key: 'origin', header: 'From', cell: ({ origin }) => originLabels[origin] },
]
