import type { ModelConfig, ModelTest } from '@assay/contract/model-configs.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Alert } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { modelTestQuery } from '../../api/model-configs.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { TestRun } from '../../page/TestRun.tsx'
import { CostText } from '../../parts/CostText.tsx'
import styles from './models.module.css'

interface Props {
  readonly orgId: string
  readonly dialog: DialogState<ModelConfig>
}

/** Calls a model when it opens, and shows what came of it. */
export function TestDialog({ orgId, dialog }: Props) {
  return (
    <FormDialog dialog={dialog} title={({ label }) => `Test ${label}`}>
      {({ id }, close) => dialog.isOpen && <Test orgId={orgId} configId={id} onClose={close} />}
    </FormDialog>
  )
}

interface TestProps {
  readonly orgId: string
  readonly configId: string
  readonly onClose: () => void
}

function Test({ orgId, configId, onClose }: TestProps) {
  const query = useQuery(modelTestQuery(orgId, configId))
  return (
    <TestRun
      query={query}
      waitingText="The model is answering a short question…"
      againLabel="Test again"
      onClose={onClose}
    >
      {(test) => <Result test={test} />}
    </TestRun>
  )
}

function Result({ test }: { readonly test: ModelTest }) {
  return (
    <>
      <FormError message={test.error?.message} />
      {test.ok && (
        <Alert color="green" p="xs" role="presentation" icon={<IconCircleCheck size={16} />}>
          The model answered in the requested form.
        </Alert>
      )}
      <dl className={styles.facts}>
        <Fact label="Latency">{formatDuration(test.latency_ms)}</Fact>
        <Fact label="Tokens in">{formatTokens(test.tokens_in)}</Fact>
        <Fact label="Tokens out">{formatTokens(test.tokens_out)}</Fact>
        <Fact label="Cost">
          <CostText usd={test.cost_usd} />
        </Fact>
      </dl>
      {test.ok && test.cost_usd === null && (
        <p className={styles.note}>
          No price is known for this model, so its calls are not included in costs. Enter its prices
          under Edit.
        </p>
      )}
    </>
  )
}

interface FactProps {
  readonly label: string
  readonly children: React.ReactNode
}

function Fact({ label, children }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
