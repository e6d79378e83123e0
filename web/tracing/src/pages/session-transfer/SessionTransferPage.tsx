import { call } from '@assay/contract/client.ts'
import { createSessionTransfer } from '@assay/contract/session-transfer.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { base } from '../../api/base.ts'
import { usePageSearch } from '../../page/use-page-search.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageLoading } from '../../shell/PageLoading.tsx'

const route = getRouteApi('/signed-in/session-transfer')

/** Transfers the session to Assay Chat, which has its own host. */
export function SessionTransferPage() {
  const { state = '' } = usePageSearch(route)
  const { mutate, error } = useMutation({
    mutationFn: () => call(base, createSessionTransfer, { body: { state } }),
    onSuccess: ({ url }) => location.replace(url),
  })
  // One code is enough: a second one would stay unused.
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    mutate()
  }, [mutate])
  if (error === null) return <PageLoading />
  return (
    <Problem
      title="Could not open Assay Chat"
      onRetry={() => mutate()}
      actions={
        <LinkButton to="/" variant="subtle">
          Home
        </LinkButton>
      }
    >
      {error.message} Open Assay Chat and start over there.
    </Problem>
  )
}
