import type { Organization } from '@assay/contract/organizations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { useSingleFlight } from '@assay/ui/use-single-flight.ts'
import { Button } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useLoadSample } from '../api/sample-project.ts'
import { canCreateProject } from './can-create-project.ts'

interface Props {
  readonly organization: Organization
}

/** Creates a project with sample data and opens it. Hidden from people who cannot create projects. */
export function LoadSampleButton({ organization }: Props) {
  const navigate = useNavigate()
  const loading = useLoadSample(organization.id, (projectId) =>
    navigate({ to: '/p/$projectId/traces', params: { projectId } }),
  )
  const load = useSingleFlight(loading)
  if (!canCreateProject(organization)) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDatabaseImport size={14} />}
        loading={loading.isPending}
        onClick={() => load()}
      >
        Load sample data
      </Button>
      <FormError message={loading.error?.message} />
    </>
  )
}
