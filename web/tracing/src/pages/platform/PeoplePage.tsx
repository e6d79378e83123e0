import { sessionQuery } from '@assay/account/api/session.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { Account } from '@assay/contract/platform.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column, RowAction } from '@assay/ui/table/table-model.ts'
import { useDebouncedInput } from '@assay/ui/use-debounced-input.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button, TextInput } from '@mantine/core'
import { IconSearch, IconUserQuestion } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { accountsQuery, useDisable } from '../../api/platform.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PersonName } from '../../page/PersonName.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import styles from './platform.module.css'

const route = getRouteApi('/signed-in/platform/people')

/** Every account of the service, in any organization. */
export function PeoplePage() {
  const searchText = usePageSearch(route).q ?? ''
  const navigate = route.useNavigate()
  const change = (q: string) => void navigate({ search: q === '' ? {} : { q }, replace: true })
  const input = useDebouncedInput(searchText, change)
  const { data: session } = useQuery(sessionQuery)
  const disabling = useDialog<Account>()
  const enabling = useDisable()
  const isSelf = ({ id }: Account) => id === session?.user.id

  const getAction = (account: Account): RowAction =>
    account.disabled_at === null
      ? {
          label: 'Disable',
          isDanger: true,
          disabledReason: isSelf(account) ? 'You cannot disable your own account.' : undefined,
          onSelect: () => disabling.open(account),
        }
      : {
          label: 'Enable',
          isPending: enabling.isPending && enabling.variables.userId === account.id,
          onSelect: () => enabling.mutate({ userId: account.id, disabled: false }),
        }
  return (
    <ListPage
      title="Accounts"
      lead="Disabling an account ends its sessions and blocks new ones until it is enabled again."
      filters={
        <>
          <TextInput
            className={styles.search}
            size="xs"
            aria-label="Search by name or address"
            placeholder="Search by name or address"
            leftSection={<IconSearch size={14} />}
            value={input.text}
            onChange={(event) => input.type(event.currentTarget.value)}
            onBlur={input.flush}
          />
          <FormError message={enabling.error?.message} />
        </>
      }
      rows={useInfiniteQuery({ ...accountsQuery(searchText), placeholderData: keepPreviousData })}
      noun={['account', 'accounts']}
      columns={columnsFor(isSelf)}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      actions={(account) => [getAction(account)]}
      empty={{
        Icon: IconUserQuestion,
        title: 'No matching accounts',
        text: `No name or address contains “${searchText}”.`,
        action: (
          <Button variant="default" onClick={() => change('')}>
            Clear search
          </Button>
        ),
      }}
    >
      <ConfirmDialog
        dialog={disabling}
        mutation={useDisable()}
        variables={({ id }) => ({ userId: id, disabled: true })}
        title={({ name }) => `Disable ${name}?`}
        confirmLabel="Disable"
      >
        {({ email }) => (
          <p>
            All sessions of <strong>{email}</strong> end now, and the account can no longer sign in.
            Memberships and data are kept. You can enable it again.
          </p>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}

function columnsFor(isSelf: (account: Account) => boolean): readonly Column<Account>[] {
  return [
    {
      key: 'account',
      header: 'Account',
      cell: (account) => <PersonName {...account} isSelf={isSelf(account)} />,
    },
    {
      key: 'status',
      header: 'Status',
      narrow: 'bare',
      cell: (account) => (
        <TwoLines below={formatMarks(account)}>
          <StatusMark
            isError={account.disabled_at !== null}
            word={account.disabled_at === null ? 'Active' : 'Disabled'}
          />
        </TwoLines>
      ),
    },
    {
      key: 'created',
      header: 'Created',
      narrow: 'hidden',
      cell: ({ created_at }) => <TimeText at={created_at} />,
    },
  ]
}

function formatMarks({ is_super_admin, has_password, email_verified_at }: Account): string {
  return [
    ...(is_super_admin ? ['super admin'] : []),
    ...(has_password ? [] : ['no password']),
    ...(email_verified_at === null ? ['address not verified'] : []),
  ].join(', ')
}
