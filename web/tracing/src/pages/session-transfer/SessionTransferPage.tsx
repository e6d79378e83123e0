import { call } from '@assay/contract/client.ts'
import { createSessionTransfer } from '@assay/contract/session-transfer.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { base } from '../../api/base.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageLoading } from '../../shell/PageLoading.tsx'

const route = getRouteApi('/signed-in/session-transfer')

/** Takes whoever is signed in here over to the other product, where that has a host of its own. */
export function SessionTransferPage() {
  const { state = '' } = route.useSearch()
  const { mutate, error } = useMutation({
    mutationFn: () => call(base, createSessionTransfer, { body: { state } }),
    onSuccess: ({ url }) => location.replace(url),
  })
  // A code is for one use: a second one would only lie about.
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    mutate()
  }, [mutate])
  if (error === null) return <PageLoading />
  return (
    <Problem
      title="The other product could not be opened"
      onRetry={() => mutate()}
      actions={
        <LinkButton to="/" variant="subtle">
          To the start page
        </LinkButton>
      }
    >
      {error.message} Go back to it and begin again there.
    </Problem>
  )
}
