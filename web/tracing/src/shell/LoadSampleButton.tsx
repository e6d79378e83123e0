import { directoryQuery } from '@assay/account/api/projects.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import type { Organization } from '@assay/contract/organizations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { useSingleFlight } from '@assay/ui/use-single-flight.ts'
import { Button } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isSample, useLoadSample } from '../api/sample-project.ts'
import { canCreateProject } from './can-create-project.ts'

interface Props {
  readonly organization: Organization
}

/**
 * Creates a project with sample data and opens it, or opens the one that the organization has. Hidden from people who
 * cannot create projects.
 */
export function LoadSampleButton({ organization }: Props) {
  const navigate = useNavigate()
  const loading = useLoadSample(organization.id, (projectId) =>
    navigate({ to: '/p/$projectId/traces', params: { projectId } }),
  )
  const load = useSingleFlight(loading)
  const { data: directory = [] } = useQuery(directoryQuery)
  if (!canCreateProject(organization)) return null
  const entry = directory.find((one) => one.organization.id === organization.id)
  const sample = entry?.projects.find(isSample)
  if (sample !== undefined) {
    return (
      <LinkButton to="/p/$projectId/traces" params={{ projectId: sample.id }}>
        Open sample data
      </LinkButton>
    )
  }
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
