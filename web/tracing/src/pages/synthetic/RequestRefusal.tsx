import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { ApiError } from '@assay/contract/client.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { useProject } from '../../shell/use-project.ts'
import { formatRefusal } from './source-problems.ts'

interface Props {
  readonly title: string
  readonly error: Error
}

/** Why a model wrote nothing, and what to do. */
export function RequestRefusal({ title, error }: Props) {
  const { organization } = useProject()
  const status = error instanceof ApiError ? error.status : undefined
  return (
    <Problem
      title={title}
      actions={
        (status === 404 || status === 502 || status === 503) && (
          <LinkButton
            variant="default"
            to="/o/$orgId/settings/models"
            params={{ orgId: organization.id }}
          >
            Models
          </LinkButton>
        )
      }
    >
      {formatRefusal(error)}
      {status === 502 && ' Test the model under Models, or choose another one. Nothing is lost.'}
    </Problem>
  )
}
