import type { Account } from '@assay/contract/platform.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Loader, Modal, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountsQuery, useGrantSuperAdmin } from '../../api/platform.ts'
import { useDebouncedInput } from '../../filter/use-debounced-input.ts'
import form from '../../form/form.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import styles from './platform.module.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Finds a person and makes them super admin. */
export function GrantDialog({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New super admin">
      <Grant onDone={onClose} />
    </Modal>
  )
}

function Grant({ onDone }: { readonly onDone: () => void }) {
  const [chosen, choose] = useState<Account>()
  const granting = useGrantSuperAdmin()
  if (chosen === undefined) return <PersonSearch onChoose={choose} />
  return (
    <div className={form.fields}>
      <div className={form.told}>
        <p>
          <strong>{chosen.email}</strong> will act as Owner in every organization, with everything
          in it, and approve who may have an account. Their sessions end: they sign in again to
          begin.
        </p>
      </div>
      <FormError message={granting.error?.message} />
      <div className={form.buttons}>
        <Button variant="default" onClick={() => choose(undefined)}>
          Back
        </Button>
        <Button
          data-autofocus
          loading={granting.isPending}
          onClick={() => granting.mutate(chosen.id, { onSuccess: onDone })}
        >
          Make super admin
        </Button>
      </div>
    </div>
  )
}

function PersonSearch({ onChoose }: { readonly onChoose: (person: Account) => void }) {
  const [searchText, setSearchText] = useState('')
  const typed = useDebouncedInput(searchText, setSearchText)
  const list = useInfiniteQuery({ ...accountsQuery(searchText), placeholderData: keepPreviousData })
  const found = list.data?.pages
    .flatMap(({ accounts }) => accounts)
    .filter(({ is_super_admin, disabled_at }) => !is_super_admin && disabled_at === null)
  return (
    <div className={form.fields}>
      <TextInput
        label="Who?"
        description="Somebody who has an account."
        placeholder="Name or address"
        data-autofocus
        leftSection={<IconSearch size={14} />}
        value={typed.text}
        onChange={(event) => typed.type(event.currentTarget.value)}
      />
      <FormError message={list.error?.message} />
      {list.isPending && <Loader size="xs" />}
      {found?.length === 0 && <p className={form.text}>Nobody who is not one already matches.</p>}
      <ul className={styles.found}>
        {found?.map((person) => (
          <li key={person.id} className={styles.person}>
            <TwoLines below={person.email}>{person.name}</TwoLines>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={`Choose ${person.email}`}
              onClick={() => onChoose(person)}
            >
              Choose
            </Button>
          </li>
        ))}
      </ul>
      {list.hasNextPage && <p className={form.text}>There are more: type to narrow the list.</p>}
    </div>
  )
}
