import { sessionQuery } from '@assay/account/api/session.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EncryptionPlace } from '../api/encryption.ts'
import type { CurrentProject } from './use-project.ts'

/** Where the signed-in user's encryption keys of this project are. The session is loaded before the page. */
export function useEncryptionPlace({
  organization,
  project,
}: Pick<CurrentProject, 'organization' | 'project'>): EncryptionPlace {
  const user = useQuery(sessionQuery).data?.user.id ?? ''
  return useMemo(
    () => ({
      slugs: { org: organization.slug, project: project.slug },
      owner: { org: organization.id, user },
    }),
    [organization.slug, organization.id, project.slug, user],
  )
}
