//! Which column of its table a cell stands in, where others span several columns
//! or rows.

use std::collections::HashMap;

use outrigger_protocol::facts::Element;

/// Wider tables than this are not kept in line.
const MOST_COLUMNS: usize = 100;

/// The tables that are open, the innermost last.
#[derive(Default)]
pub(crate) struct Columns {
    tables: Vec<Table>,
}

#[derive(Default)]
struct Table {
    /// Column of the next cell, and of the end of what was written of the row.
    next: usize,
    written: usize,
    /// For how many rows more a column is taken by a cell above.
    taken: HashMap<usize, u32>,
}

impl Columns {
    pub(crate) fn begin_table(&mut self) {
        self.tables.push(Table::default());
    }

    pub(crate) fn end_table(&mut self) {
        self.tables.pop();
    }

    pub(crate) fn begin_row(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            (table.next, table.written) = (0, 0);
        }
    }

    /// How many columns stand empty between the cell before and this one.
    pub(crate) fn begin_cell(&mut self, cell: &Element) -> usize {
        let Some(table) = self.tables.last_mut() else { return 0 };
        table.skip_taken();
        let empty = table.next - table.written;
        let width = cell.state.colspan.and_then(|width| usize::try_from(width).ok()).unwrap_or(1);
        let width = width.clamp(1, MOST_COLUMNS);
        table.written = table.next + 1;
        if let Some(rows) = cell.state.rowspan.filter(|rows| *rows > 1) {
            let end = (table.next + width).min(MOST_COLUMNS);
            table.taken.extend((table.next..end).map(|column| (column, rows - 1)));
        }
        table.next += width;
        if table.next > MOST_COLUMNS { 0 } else { empty }
    }

    /// What cells above took of this row is over with it.
    pub(crate) fn end_row(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            let next = table.next;
            table.taken.retain(|column, rows| {
                *rows -= u32::from(*column >= next);
                *rows > 0
            });
        }
    }
}

impl Table {
    fn skip_taken(&mut self) {
        while let Some(rows) = self.taken.get_mut(&self.next) {
            *rows -= 1;
            if *rows == 0 {
                self.taken.remove(&self.next);
            }
            self.next += 1;
        }
    }
}
