"""Generate the stubs of any language into a folder of the caller: make stubs LANGUAGE=go OUT=../mygame/gen."""
