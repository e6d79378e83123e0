import form from '@assay/account/form/form.module.css'
import type { Account } from '@assay/contract/platform.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDebouncedInput } from '@assay/ui/use-debounced-input.ts'
import { type DialogState, useDialog } from '@assay/ui/use-dialog.ts'
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountsQuery, useGrantSuperAdmin } from '../../api/platform.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { PersonName } from '../../page/PersonName.tsx'

/** Finds an account and makes it super admin. */
export function GrantDialog({ dialog }: { readonly dialog: DialogState<null> }) {
  const granting = useDialog<Account>()
  return (
    <>
      <FormDialog dialog={dialog} title="New super admin">
        {() => (
          <AccountSearch
            onChoose={(account) => {
              dialog.close()
              granting.open(account)
            }}
          />
        )}
      </FormDialog>
      <ConfirmDialog
        dialog={granting}
        mutation={useGrantSuperAdmin()}
        variables={({ id }) => id}
        title="Grant super admin?"
        confirmLabel="Make super admin"
        isHarmless
      >
        {({ email }) => (
          <p>
            <strong>{email}</strong> can then act as Owner in every organization and approve who can
            have an account. Their sessions end; they have to sign in again.
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}

const columns: readonly Column<Account>[] = [
  {
    key: 'account',
    header: 'Account',
    cell: (account) => <PersonName {...account} isSelf={false} />,
  },
]

function AccountSearch({ onChoose }: { readonly onChoose: (account: Account) => void }) {
  const [searchText, setSearchText] = useState('')
  const input = useDebouncedInput(searchText, setSearchText)
  const list = useInfiniteQuery({ ...accountsQuery(searchText), placeholderData: keepPreviousData })
  const found = list.data?.filter(
    ({ is_super_admin, disabled_at }) => !is_super_admin && disabled_at === null,
  )
  return (
    <div className={form.fields}>
      <TextInput
        label="Account"
        placeholder="Name or address"
        data-autofocus
        leftSection={<IconSearch size={14} />}
        value={input.text}
        onChange={(event) => input.type(event.currentTarget.value)}
      />
      <DataTable
        caption="Matching accounts"
        rows={{ ...list, data: found }}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ email }) => email}
        actions={(account) => [{ label: 'Choose', onSelect: () => onChoose(account) }]}
        empty={<p className={form.text}>No other account matches.</p>}
      />
    </div>
  )
}
