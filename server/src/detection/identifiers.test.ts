import { describe, expect, test } from 'vitest'
import { detect } from './detect.ts'

/** The samples are published in standards and guides. */
const beforeOrAfter = (word: string, value: string) => [
  `${word} ${value}`,
  `${value} (${word})`,
  `"${word}": "${value}",`,
  `My ${word}: it is, as I said last week, ${value}.`,
]

const found = (text: string) =>
  detect(text).map(({ type, start, end }) => [type, text.slice(start, end)])

const withCheckDigit = [
  ['ca_sin', 'social insurance number', '046 454 286'],
  ['br_cpf', 'CPF', '39053344705'],
  ['cl_rut', 'RUT', '12.531.909-2'],
  ['gb_nhs', 'NHS number', '943 476 5919'],
  ['nl_bsn', 'BSN', '111222333'],
  ['de_idnr', 'Steuer-ID', '86095742719'],
  ['pl_pesel', 'PESEL', '44051401359'],
  ['se_personnummer', 'personnummer', '811218-9876'],
  ['no_fodselsnummer', 'fødselsnummer', '151086 95088'],
  ['dk_cpr', 'CPR-nummer', '211062-5629'],
  ['be_national_number', 'rijksregisternummer', '85.07.30-033 28'],
  ['tr_kimlik', 'TCKN', '10000000146'],
  ['ee_isikukood', 'isikukood', '37605030299'],
  ['lt_asmens_kodas', 'asmens kodas', '33309240064'],
  ['lv_personas_kods', 'personas kods', '161175-19997'],
  ['ro_cnp', 'CNP', '1630615123457'],
  ['bg_egn', 'ЕГН', '7523169263'],
  ['cz_rodne_cislo', 'rodné číslo', '710319/2745'],
  ['hr_oib', 'OIB', '33392005961'],
  ['gr_amka', 'ΑΜΚΑ', '01013099997'],
  ['pt_nif', 'contribuinte', '123456789'],
  ['ie_pps', 'PPSN', '6433435F'],
  ['es_dni', 'DNI', '54362315K'],
  ['in_aadhaar', 'Aadhaar', '2341 2341 2346'],
  ['au_tfn', 'tax file number', '123 456 782'],
  ['nz_ird', 'IRD number', '49-091-850'],
  ['th_id', 'บัตรประชาชน', '1-2345-67890-12-1'],
  ['il_id', 'תעודת זהות', '39337423'],
  ['hk_hkid', 'HKID', 'G123456(A)'],
  ['tw_national_id', '身分證', 'A123456789'],
  ['jp_my_number', 'マイナンバー', '1234 5678 9018'],
  ['za_id', 'identity number', '7503305044089'],
] as const

describe('identifiers with a check digit that need their word', () => {
  test.each(withCheckDigit)('%s is found beside %s', (type, word, value) => {
    for (const text of beforeOrAfter(word, value)) expect(found(text)).toEqual([[type, value]])
  })

  test.each(withCheckDigit)('%s is not found without %s', (_, word, value) => {
    expect(found(value)).toEqual([])
    expect(found(`Order ${value} was shipped on Monday.`)).toEqual([])
    expect(found(`${word}. ${'Nothing else is said about that here. '.repeat(4)}${value}`)).toEqual(
      [],
    )
  })

  test.each(withCheckDigit)('%s is not found with another check digit', (_, word, value) => {
    const at = value.search(/[\dA-Z]\)?$/)
    const check = value.charAt(at)
    const others = /\d/.test(check) ? '0123456789' : 'ABCDEFGHJKLMNPQRSTUVWXYZ'
    for (const other of others.replace(check, '')) {
      const text = `${word} ${value.slice(0, at)}${other}${value.slice(at + 1)}`
      expect(found(text), text).toEqual([])
    }
  })
})

describe('identifiers that need their word and have no check digit', () => {
  test.each([
    ['us_ssn', 'social security number', '536228726'],
    ['us_ssn', 'ssn', '449874100'],
    ['us_ssn', 'SSN', '123-45-6789'],
    ['us_itin', 'ITIN', '912781234'],
    ['us_passport', 'US passport', '340020013'],
    ['us_driver_license', "driver's license", 'D6101-40706-60905'],
    ['us_driver_license', "driver's license", 'A1234567'],
    ['in_pan', 'PAN', 'ABCPE1234F'],
    ['in_voter_id', 'voter id', 'ABC1234567'],
    ['gb_driving_licence', 'driving licence', 'MORGA753116SM9IJ'],
    ['passport', 'passport number', 'L898902C3'],
    ['passport', 'Reisepass', 'C01X00T47'],
    ['my_nric', 'MyKad', '770305-02-1234'],
    ['id_nik', 'KTP', '3171011708450001'],
    ['au_medicare', 'Medicare', '2123 45670 1'],
  ] as const)('%s is found beside %s only', (type, word, value) => {
    for (const text of beforeOrAfter(word, value)) expect(found(text)).toEqual([[type, value]])
    expect(detect(`Order ${value} was shipped.`)).toEqual([])
  })
})

describe('identifiers that need no word', () => {
  test.each([
    ['us_ssn', '536-22-8726'],
    ['us_itin', '912-78-1234'],
    ['br_cpf', '390.533.447-05'],
    ['fr_nir', '2 55 08 14 168 025 38'],
    ['fr_nir', '255081416802538'],
    ['it_codice_fiscale', 'RSSMRA85T10A562S'],
    ['es_nie', 'X1234567L'],
    ['fi_hetu', '131052-308T'],
    ['ch_ahv', '756.9217.0769.85'],
    ['gb_nino', 'AB123456C'],
    ['gb_nino', 'AB 12 34 56 C'],
    ['cn_resident_id', '11010519491231002X'],
    ['kr_rrn', '971013-9019902'],
    ['sg_nric', 'S1234567D'],
    ['mx_curp', 'BOXW310820HNERXN09'],
    ['passport_mrz', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'],
  ])('%s: %s', (type, value) => {
    for (const text of [value, `It is ${value}.`, `(${value})`, `id=${value};`, `Ref:${value}\n`]) {
      expect(found(text)).toEqual([[type, value]])
    }
  })

  test.each([
    ['a number that was printed as a sample', '078-05-1120'],
    ['the usual sample', 'for example 123-45-6789'],
    ['area 000', '000-12-3456'],
    ['area 666', '666-12-3456'],
    ['area of the 900s', '900-12-3456'],
    ['group 00', '536-00-8726'],
    ['serial 0000', '536-22-0000'],
    ['a decimal fraction', '0.304262935'],
    ['a part of a longer number', '1536-22-87261'],
    ['a part of a range', '2024-536-22-8726'],
    ['a wrong digit of a CPF', '390.533.447-06'],
    ['a wrong key of a NIR', '2 55 08 14 168 025 39'],
    ['a wrong letter of a codice fiscale', 'RSSMRA85T10A562T'],
    ['a wrong letter of a NIE', 'X1234567M'],
    ['a wrong character of a HETU', '131052-308U'],
    ['a wrong digit of an AHV number', '756.9217.0769.84'],
    ['a prefix that no NINO has', 'BG123456C'],
    ['a wrong digit of a resident identity number', '110105194912310021'],
    ['a wrong letter of an NRIC', 'S1234567E'],
    ['a wrong digit of a CURP', 'BOXW310820HNERXN08'],
    ['a wrong digit in a passport', 'L898902C37UTO7408122F1204159ZE184226B<<<<<10'],
    ['a date', '2024-11-22'],
    ['a phone number without country', '555-0100'],
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['a version', '10.20.30'],
  ])('not %s', (_, text) => {
    expect(detect(text).filter(({ blocks }) => blocks)).toEqual([])
  })
})

describe('a disguised identifier', () => {
  test.each([
    ['us_ssn', '536\u201322\u20138726'],
    ['us_ssn', '536\u200b-22-\u200b8726'],
    ['us_ssn', '٥٣٦-٢٢-٨٧٢٦'],
    ['br_cpf', '３９０.５３３.４４７-０５'],
    ['sg_nric', '\u04051234567D'],
  ])('%s is found: %s', (type, value) => {
    expect(found(`Number ${value}, as agreed.`)).toEqual([[type, value]])
  })
})
