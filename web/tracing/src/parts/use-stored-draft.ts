import { sessionQuery } from '@assay/account/api/session.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type DraftStore, useDraftOf } from '../api/draft-store.ts'
import { useProject } from '../shell/use-project.ts'

/** What the person has entered in the project of the page. */
export function useStoredDraft<Draft>(store: DraftStore<Draft>) {
  const { project } = useProject()
  const userId = useQuery(sessionQuery).data?.user.id ?? ''
  const owner = { userId, projectId: project.id }
  const draft = useDraftOf(store, owner)
  const [isStored, setStored] = useState(true)
  return {
    draft,
    /** False if it is lost on a reload. */
    isStored,
    replaceDraft: (next: Draft) => setStored(store.save(owner, next)),
    /** Changes the current draft, which may be newer than the rendered one. */
    changeDraft: (change: Partial<Draft>) =>
      setStored(store.save(owner, { ...store.read(owner), ...change })),
  }
}
