export class SavesView {
    constructor(page) {
        this.page = page;
        this.element = document.createElement("div");
        this.element.hidden = true;
        this.isOpen = false;
    }
    turn() {}
    fetch() {}
    serves() {}
    tick() {}
    draw() {}
}
