"""An analysis as a document to hand on: one page of HTML, or a PDF."""
