import { base } from '@assay/account/api/base.ts'
import { currentUserQuery } from '@assay/account/api/session.ts'
import { forgetSignedInUser } from '@assay/account/api/signed-in-user.ts'
import { FormPage } from '@assay/account/form/FormPage.tsx'
import form from '@assay/account/form/form.module.css'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { call } from '@assay/contract/client.ts'
import { signOut, type User } from '@assay/contract/sign-in.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { forgetPerson } from '../../api/forget-person.ts'
import type { InviteDetails } from '../../api/invite.ts'

interface Props {
  readonly invite: InviteDetails
  readonly currentUser: User
}

/** For a person who is signed in with another address than that of the invite. */
export function WrongAccountInvite({ invite, currentUser }: Props) {
  const queryClient = useQueryClient()
  const signingOut = useMutation({
    mutationFn: () => call(base, signOut, {}),
    onSuccess: async () => {
      forgetPerson()
      forgetSignedInUser()
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invite' })
      await queryClient.query({ ...currentUserQuery, staleTime: 0 })
    },
  })
  return (
    <FormPage
      title="This invite is for another address"
      lead={
        <>
          It invites <strong>{invite.email}</strong> to {invite.organization_name}. You are signed
          in as <strong>{currentUser.email}</strong>.
        </>
      }
    >
      <div className={form.fields}>
        <FormError message={signingOut.error?.message} />
        <Button size="sm" loading={signingOut.isPending} onClick={() => signingOut.mutate()}>
          Sign out and continue
        </Button>
        <LinkButton to="/" variant="subtle">
          Stay signed in
        </LinkButton>
      </div>
    </FormPage>
  )
}
