import { formatHolders } from '@assay/account/shell/organization-access.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Anchor } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useProject } from '../../shell/use-project.ts'

interface Props {
  /** The page of the tracing product that adds models. */
  readonly modelsUrl: string
}

/** First use without a model: who can add one, and where. */
export function NoModels({ modelsUrl }: Props) {
  const { organization, can } = useProject()
  const link = (
    <Anchor href={modelsUrl} target="_blank" rel="noopener">
      Models of {organization.name}
    </Anchor>
  )
  return (
    <EmptyState icon={<IconSparkles size={20} stroke={1.75} />} title="No model yet" isPage>
      {can('manage_model_keys') ? (
        <>Add a model and its key under {link} to start a conversation.</>
      ) : (
        <>
          Only {formatHolders('manage_model_keys')} of {organization.name} can add a model. Ask one
          of them to add it under {link}.
        </>
      )}
    </EmptyState>
  )
}
