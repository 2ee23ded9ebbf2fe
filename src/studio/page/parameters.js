/* SPDX-License-Identifier: MIT */
/* The parameters of `aula metrics`: names, units, digits and what they mean; and where a receiver stands in its JSON. */

export const PARAMETERS = [
    {key: 'edt', name: 'EDT', unit: 's', digits: 2, title: 'Early decay time, from the first 10 dB of the decay: how reverberant running speech or music sounds'},
    {key: 't20', name: 'T20', unit: 's', digits: 2, title: 'Reverberation time, from −5 to −25 dB of the decay'},
    {key: 't30', name: 'T30', unit: 's', digits: 2, title: 'Reverberation time, from −5 to −35 dB of the decay'},
    {key: 'c50', name: 'C50', unit: 'dB', digits: 1, title: 'Clarity of speech: energy of the first 50 ms over that after it'},
    {key: 'c80', name: 'C80', unit: 'dB', digits: 1, title: 'Clarity of music: energy of the first 80 ms over that after it'},
    {key: 'd50', name: 'D50', unit: '', digits: 2, title: 'Definition: share of the energy within the first 50 ms, 0 to 1'},
    {key: 'ts', name: 'Ts', unit: 'ms', digits: 0, scale: 1000,
        title: 'Centre time: centre of gravity of the squared response'},
    {key: 'g', name: 'G', unit: 'dB', digits: 1, title: 'Strength: level relative to the same source in the free field at 10 m'},
    {key: 'lf', name: 'LF', unit: '', digits: 2, title: 'Early lateral fraction: share of early energy from the sides, which widens the source'},
    {key: 'lfc', name: 'LFC', unit: '', digits: 2, title: 'Early lateral fraction with the cosine of the direction'},
    {key: 'lg', name: 'LG', unit: 'dB', digits: 1, title: 'Late lateral level: envelopment'},
    {key: 'iacc_early', name: 'IACCe', unit: '', digits: 2,
        title: 'Interaural cross-correlation of the first 80 ms'},
    {key: 'iacc_late', name: 'IACCl', unit: '', digits: 2, title: 'Interaural cross-correlation after 80 ms'},
];

export const SINGLE = [
    {key: 'sti', name: 'STI', digits: 2, title: 'Speech transmission index of the room alone, without noise, for a male voice'},
    {key: 'lf_mean', name: 'LF, 125 Hz to 1 kHz', digits: 2, title: 'Early lateral fraction'},
    {key: 'lg_mean', name: 'LG, 125 Hz to 1 kHz', unit: 'dB', digits: 1, title: 'Late lateral level'},
    {key: 'iacc_early_mean', name: 'IACC E3', digits: 2,
        title: 'Early interaural cross-correlation, 500 Hz to 2 kHz'},
];

export const hertz = f => f >= 1000 ? `${+(f / 1000).toPrecision(3)}k` : String(Math.round(f));
export const hertzUnit = f => f >= 1000 ? `${+(f / 1000).toPrecision(3)} kHz` : `${Math.round(f)} Hz`;

/* A receiver's channel in a list of the JSON; fields and ears have the name of the receiver and of the channel. */
function channelIn(list, name) {
    return list.find(item => item.receiver === name) || list.find(item => item.receiver.startsWith(`${name} `)) || null;
}

/* {file, channel} of a receiver in the JSON of `aula metrics`. */
export function measured(metrics, receiver) {
    for (const file of metrics?.files || []) {
        const channel = channelIn(file.channels, receiver);
        if (channel)
            return {file, channel};
    }
    return null;
}

/* A receiver's differences in the JSON of `aula compare`, of the index-th variant after the first. */
export function compared(comparison, index, receiver) {
    const item = comparison?.result?.comparisons?.[index - 1];
    return item ? channelIn(item.receivers, receiver) || (item.receivers.length === 1 ? item.receivers[0] : null) : null;
}
